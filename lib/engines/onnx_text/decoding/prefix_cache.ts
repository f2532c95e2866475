/**
 * Prefix cache: keeps keys and values for prompts with the same beginning.
 *
 * @module
 */
import { type KvArray, type KvBuffer, type KvShape, newKvArray } from "../kv_places/kv_buffer.ts";
import { BLOCK_TOKENS as BLOCK, type PackedBlock, type PackingPolicy } from "./kv_packing.ts";

/** Shorter prefixes are faster to compute than worth caching. */
export const MIN_TOKENS = 16;

/** Remembers what was computed for the beginnings of prompts. */
export interface PrefixStore {
  /** Whether only whole entries can be used, so that the part of a prompt which stays the same is worth one. */
  readonly keepsStable: boolean;
  /** Puts the longest known prefix of a prompt into the first slot. @returns Its number of tokens. */
  reuse(prompt: readonly number[], buffer: KvBuffer): number;
  /**
   * Keeps a sequence that is in a slot of a buffer.
   *
   * @param stable How many of its first tokens are likely to be requested again.
   */
  store(tokens: readonly number[], stable: number, buffer: KvBuffer, slot: number): void;
  /** Removes all entries. */
  clear(): void;
  counters(): PrefixCacheCounters;
}

/** Options of a {@linkcode PrefixCache}. */
interface PrefixCacheOptions {
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** How to pack prefixes; not for half floats. */
  readonly packed?: PackingPolicy | undefined;
}

/** Keys and values of up to 64 tokens, `[heads, 64, dim]` for each tensor; immutable, and shared between entries. */
type Block = KvArray | PackedBlock;

interface Entry {
  tokens: readonly number[];
  blocks: readonly Block[];
  /** Tokens that are kept when memory is short. */
  readonly stable: number;
}

/** A cached prefix. */
interface FoundPrefix {
  readonly length: number;
  readonly blocks: readonly Block[];
}

/** Token sequences, least recently used first. Sequences with a common prefix share its blocks. */
export class PrefixCache implements PrefixStore {
  readonly keepsStable = false;
  readonly #options: PrefixCacheOptions;
  readonly #shape: KvShape;
  readonly #blockElements: number;
  /** Numbers of a token in each head. */
  readonly #dims: readonly number[];
  #entries: Entry[] = [];
  #hits = 0;
  #misses = 0;
  #stored = 0;
  #reused = 0;

  constructor(shape: KvShape, options: PrefixCacheOptions) {
    this.#options = options;
    this.#shape = shape;
    this.#blockElements = shape.kv.reduce((sum, { heads, dim }) => sum + heads * dim * BLOCK, 0);
    this.#dims = shape.kv.flatMap(({ heads, dim }) => new Array<number>(heads).fill(dim));
  }

  reuse(prompt: readonly number[], buffer: KvBuffer): number {
    const found = this.find(prompt);
    if (found === undefined) return 0;
    this.restore(found, buffer, 0);
    return found.length;
  }

  /** Finds the longest cached prefix of a prompt, excluding its last token, which must be computed. */
  find(prompt: readonly number[]): FoundPrefix | undefined {
    const [entry, common] = this.#longest(prompt);
    const length = Math.min(common, prompt.length - 1);
    if (entry === undefined || length < MIN_TOKENS) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    this.#reused += length;
    this.#touch(entry);
    return { length, blocks: entry.blocks };
  }

  /** Copies a cached prefix into a slot. */
  restore({ length, blocks }: FoundPrefix, buffer: KvBuffer, slot: number): void {
    for (let start = 0; start < length; start += BLOCK) {
      const block = unpacked(blocks[start / BLOCK]);
      const count = Math.min(BLOCK, length - start);
      this.#eachTensor((tensor, at) => buffer.write(tensor, slot, start, count, block, at, BLOCK));
    }
  }

  /**
   * Caches a sequence whose keys and values are in a buffer; if it exceeds the whole cache, its beginning.
   *
   * @param stable How many of its first tokens are likely to be requested again.
   */
  store(text: readonly number[], stable: number, buffer: KvBuffer, slot: number): void {
    const isPacked = text.length >= (this.#options.packed?.minTokens ?? Infinity);
    const tokens = text.slice(0, Math.floor(this.#options.maxBytes / this.#blockBytes(isPacked)) * BLOCK);
    if (tokens.length < MIN_TOKENS) return;
    const [nearest, common] = this.#longest(tokens);
    if (nearest !== undefined && common === tokens.length) return this.#touch(nearest);
    const shared = nearest === undefined ? [] : nearest.blocks.slice(0, Math.floor(common / BLOCK));
    const blocks = isPacked ? shared.map((block) => this.#pack(block, BLOCK)) : [...shared];
    for (let start = shared.length * BLOCK; start < tokens.length; start += BLOCK) {
      const block = newKvArray(this.#shape.kvType, this.#blockElements);
      const count = Math.min(BLOCK, tokens.length - start);
      this.#eachTensor((tensor, at) => buffer.read(tensor, slot, start, count, block, at, BLOCK));
      blocks.push(isPacked ? this.#pack(block, count) : block);
    }
    this.#entries = this.#entries.filter((entry) => commonLength(entry.tokens, tokens) < entry.tokens.length);
    this.#entries.push({ tokens, blocks, stable: Math.min(stable, tokens.length) });
    this.#stored++;
    this.#makeRoom();
  }

  /** Removes all entries. */
  clear(): void {
    this.#entries = [];
  }

  counters(): PrefixCacheCounters {
    return {
      entries: this.#entries.length,
      maxEntries: this.#options.maxEntries,
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
    while (this.#entries.length > this.#options.maxEntries) this.#entries.shift();
    while (this.#entries.length > 0 && this.#bytes() > this.#options.maxBytes) {
      const [oldest] = this.#entries;
      if (oldest.stable < MIN_TOKENS || oldest.tokens.length === oldest.stable) this.#entries.shift();
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

  /** Visits the tensors, with the offset of their numbers in a block. */
  #eachTensor(visit: (tensor: number, at: number) => void): void {
    let at = 0;
    for (const [tensor, { heads, dim }] of this.#shape.kv.entries()) {
      visit(tensor, at);
      at += heads * dim * BLOCK;
    }
  }

  #blockBytes(isPacked: boolean): number {
    const { packed } = this.#options;
    if (isPacked && packed) return this.#dims.reduce((sum, dim) => sum + packed.packing.bytes(dim), 0);
    return this.#blockElements * (this.#shape.kvType === "float32" ? 4 : 2);
  }

  #pack(block: Block, tokens: number): Block {
    return block instanceof Float32Array ? this.#options.packed!.packing.pack(block, this.#dims, tokens) : block;
  }
}

/** Statistics of the cache. */
export interface PrefixCacheCounters {
  readonly entries: number;
  readonly maxEntries: number;
  readonly hits: number;
  readonly misses: number;
  readonly storedPrefixes: number;
  readonly reusedTokens: number;
  readonly storedTokens: number;
}

/** Statistics without a cache. */
export const NO_PREFIXES: PrefixCacheCounters = {
  entries: 0,
  maxEntries: 0,
  hits: 0,
  misses: 0,
  storedPrefixes: 0,
  reusedTokens: 0,
  storedTokens: 0,
};

function unpacked(block: Block): KvArray {
  return "unpack" in block ? block.unpack() : block;
}

function commonLength(a: readonly number[], b: readonly number[]): number {
  const max = Math.min(a.length, b.length);
  let i = 0;
  while (i < max && a[i] === b[i]) i++;
  return i;
}
