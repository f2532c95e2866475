/**
 * Keeps the state of texts, so that others that begin alike need not be read again.
 *
 * @module
 */
import { type KvArray, type KvBuffer, type KvShape, newKvArray } from "./kv_buffer.ts";

/** Tokens of a block. */
const BLOCK = 64;

/** Shorter beginnings are computed faster than they are worth keeping. */
const LEAST = 16;

/** Bounds of a cache. */
export interface PrefixCacheLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** Keys and values of up to 64 tokens, `[heads, 64, dim]` for each tensor; it never changes, and entries share it. */
type Block = KvArray;

interface Entry {
  tokens: readonly number[];
  blocks: readonly Block[];
  /** Tokens that are kept when room is short. */
  readonly stable: number;
}

/** A beginning that is there. */
export interface FoundPrefix {
  readonly length: number;
  readonly blocks: readonly Block[];
}

/**
 * Texts by their tokens, the one that was used last at the end. Texts that begin alike share the blocks of their common
 * beginning.
 */
export class PrefixCache {
  readonly limits: PrefixCacheLimits;
  readonly #shape: KvShape;
  readonly #blockElements: number;
  #entries: Entry[] = [];
  #hits = 0;
  #misses = 0;
  #stored = 0;
  #reused = 0;

  constructor(shape: KvShape, limits: PrefixCacheLimits) {
    this.limits = limits;
    this.#shape = shape;
    this.#blockElements = shape.kv.reduce((sum, { heads, dim }) => sum + heads * dim * BLOCK, 0);
  }

  /** The longest beginning of a prompt that is there; its last token is never among it, since it has to be computed. */
  find(prompt: readonly number[]): FoundPrefix | undefined {
    const [entry, common] = this.#longest(prompt);
    const length = Math.min(common, prompt.length - 1);
    if (entry === undefined || length < LEAST) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    this.#reused += length;
    this.#touch(entry);
    return { length, blocks: entry.blocks };
  }

  /** Copies what was found into a slot. */
  restore({ length, blocks }: FoundPrefix, buffer: KvBuffer, slot: number): void {
    this.#eachPart(blocks, 0, length, (block, at, tensor, start, count) => {
      buffer.write(tensor, slot, start, count, block, at, BLOCK);
    });
  }

  /**
   * Keeps a text of which a buffer has keys and values.
   *
   * @param stable How many of its first tokens are likely to be asked for again.
   */
  store(tokens: readonly number[], stable: number, buffer: KvBuffer, slot: number): void {
    if (tokens.length < LEAST) return;
    const [nearest, common] = this.#longest(tokens);
    if (nearest !== undefined && common === tokens.length) return this.#touch(nearest);
    const shared = nearest === undefined ? [] : nearest.blocks.slice(0, Math.floor(common / BLOCK));
    const blocks = [...shared];
    while (blocks.length * BLOCK < tokens.length) {
      blocks.push(newKvArray(this.#shape.kvType, this.#blockElements));
    }
    this.#eachPart(blocks, shared.length * BLOCK, tokens.length, (block, at, tensor, start, count) => {
      buffer.read(tensor, slot, start, count, block, at, BLOCK);
    });
    this.#entries = this.#entries.filter((entry) => commonLength(entry.tokens, tokens) < entry.tokens.length);
    this.#entries.push({ tokens: [...tokens], blocks, stable: Math.min(stable, tokens.length) });
    this.#stored++;
    this.#makeRoom();
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries = [];
  }

  counters(): PrefixCacheCounters {
    return {
      entries: this.#entries.length,
      maxEntries: this.limits.maxEntries,
      hits: this.#hits,
      misses: this.#misses,
      storedPrefixes: this.#stored,
      reusedTokens: this.#reused,
      storedTokens: this.#entries.reduce((sum, { tokens }) => sum + tokens.length, 0),
    };
  }

  #longest(tokens: readonly number[]): [Entry | undefined, number] {
    let best: Entry | undefined;
    let longest = 0;
    for (const entry of this.#entries) {
      const common = commonLength(entry.tokens, tokens);
      if (common >= longest) [best, longest] = [entry, common];
    }
    return [best, longest];
  }

  #touch(entry: Entry): void {
    this.#entries = [...this.#entries.filter((other) => other !== entry), entry];
  }

  #makeRoom(): void {
    while (this.#entries.length > this.limits.maxEntries) this.#entries.shift();
    while (this.#entries.length > 0 && this.#bytes() > this.limits.maxBytes) {
      const [oldest] = this.#entries;
      if (oldest.stable < LEAST || oldest.tokens.length === oldest.stable) this.#entries.shift();
      else {
        oldest.tokens = oldest.tokens.slice(0, oldest.stable);
        oldest.blocks = oldest.blocks.slice(0, Math.ceil(oldest.stable / BLOCK));
      }
    }
  }

  #bytes(): number {
    const blocks = new Set(this.#entries.flatMap((entry) => entry.blocks));
    return Array.from(blocks).reduce((sum, block) => sum + block.byteLength, 0);
  }

  /** Visits the parts of blocks that hold the tokens from `from` to `to`. */
  #eachPart(
    blocks: readonly Block[],
    from: number,
    to: number,
    visit: (block: Block, at: number, tensor: number, start: number, count: number) => void,
  ): void {
    for (let start = from; start < to; start += BLOCK) {
      let at = 0;
      this.#shape.kv.forEach(({ heads, dim }, tensor) => {
        visit(blocks[start / BLOCK], at, tensor, start, Math.min(BLOCK, to - start));
        at += heads * dim * BLOCK;
      });
    }
  }
}

/** What a cache has done. */
export interface PrefixCacheCounters {
  readonly entries: number;
  readonly maxEntries: number;
  readonly hits: number;
  readonly misses: number;
  readonly storedPrefixes: number;
  readonly reusedTokens: number;
  readonly storedTokens: number;
}

/** What a cache has done that is not there. */
export const NO_PREFIXES: PrefixCacheCounters = {
  entries: 0,
  maxEntries: 0,
  hits: 0,
  misses: 0,
  storedPrefixes: 0,
  reusedTokens: 0,
  storedTokens: 0,
};

function commonLength(a: readonly number[], b: readonly number[]): number {
  const most = Math.min(a.length, b.length);
  let i = 0;
  while (i < most && a[i] === b[i]) i++;
  return i;
}
