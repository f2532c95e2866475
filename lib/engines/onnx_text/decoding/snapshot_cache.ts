/**
 * Prefix cache of graphs whose sequences cannot be rewound.
 *
 * @module
 */
import { KvBuffer, type KvShape } from "../kv_places/kv_buffer.ts";
import { MIN_TOKENS, type PrefixCacheCounters, type PrefixStore } from "./prefix_cache.ts";

interface Snapshot {
  readonly tokens: readonly number[];
  readonly buffer: KvBuffer;
}

/**
 * Whole states after sequences of tokens, least recently used first: the share of each token in a layer's state cannot
 * be separated, so a prompt can only continue where a state was kept.
 */
export class SnapshotCache implements PrefixStore {
  readonly keepsStable = true;
  readonly #shape: KvShape;
  readonly #limits: { readonly maxEntries: number; readonly maxBytes: number };
  #kept: Snapshot[] = [];
  #hits = 0;
  #misses = 0;
  #stored = 0;
  #reused = 0;

  constructor(shape: KvShape, limits: { readonly maxEntries: number; readonly maxBytes: number }) {
    this.#shape = shape;
    this.#limits = limits;
  }

  reuse(prompt: readonly number[], buffer: KvBuffer): number {
    // The last token must be computed, for its logits.
    const fits = this.#kept.filter(({ tokens }) => tokens.length < prompt.length && startsWith(prompt, tokens));
    if (fits.length === 0) {
      this.#misses++;
      return 0;
    }
    const best = fits.reduce((longest, other) => other.tokens.length > longest.tokens.length ? other : longest);
    const { length } = best.tokens;
    buffer.take(0, best.buffer, 0, length);
    this.#touch(best);
    this.#hits++;
    this.#reused += length;
    return length;
  }

  store(tokens: readonly number[], _stable: number, buffer: KvBuffer, slot: number): void {
    if (tokens.length < MIN_TOKENS) return;
    const known = this.#kept.find((one) => one.tokens.length === tokens.length && startsWith(tokens, one.tokens));
    if (known !== undefined) return this.#touch(known);
    const copy = new KvBuffer(this.#shape, 1, tokens.length);
    if (copy.byteLength > this.#limits.maxBytes) return;
    copy.take(0, buffer, slot, tokens.length);
    this.#kept.push({ tokens: [...tokens], buffer: copy });
    this.#stored++;
    while (this.#kept.length > this.#limits.maxEntries || this.#bytes() > this.#limits.maxBytes) this.#kept.shift();
  }

  clear(): void {
    this.#kept = [];
  }

  counters(): PrefixCacheCounters {
    return {
      entries: this.#kept.length,
      maxEntries: this.#limits.maxEntries,
      hits: this.#hits,
      misses: this.#misses,
      storedPrefixes: this.#stored,
      reusedTokens: this.#reused,
      storedTokens: this.#kept.reduce((sum, { tokens }) => sum + tokens.length, 0),
    };
  }

  #touch(used: Snapshot): void {
    this.#kept = [...this.#kept.filter((other) => other !== used), used];
  }

  #bytes(): number {
    return this.#kept.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  }
}

function startsWith(tokens: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((token, i) => tokens[i] === token);
}
