/**
 * The last text of a model, kept for the next.
 *
 * @module
 */
import type { EngineCounters } from "../contract/language_model.ts";
import type { LibraryCache } from "./transformers_library.ts";

/** A chat that continues is not prefilled again. The library's caches grow in place, so only the last one is kept. */
export class KeptText {
  readonly #enabled: boolean;
  #tokens: readonly number[] = [];
  #cache: LibraryCache | undefined;
  #hits = 0;
  #misses = 0;
  #stored = 0;
  #reused = 0;

  constructor(enabled: boolean) {
    this.#enabled = enabled;
  }

  /** Takes out the cache of the kept text if a prompt continues it. @returns Its number of tokens beside it. */
  async take(
    prompt: readonly number[],
  ): Promise<{ readonly cache: LibraryCache; readonly length: number } | undefined> {
    if (!this.#enabled) return undefined;
    const { length } = this.#tokens;
    const fits = this.#cache !== undefined && length < prompt.length &&
      this.#tokens.every((token, i) => prompt[i] === token);
    if (!fits) {
      this.#misses++;
      await this.clear();
      return undefined;
    }
    this.#hits++;
    this.#reused += length;
    const cache = this.#cache as LibraryCache;
    this.#cache = undefined;
    return { cache, length };
  }

  /** Keeps a text with its cache in place of the last one. */
  async keep(tokens: readonly number[], cache: LibraryCache): Promise<void> {
    await this.clear();
    if (!this.#enabled) return await cache.dispose();
    this.#tokens = tokens;
    this.#cache = cache;
    this.#stored++;
  }

  /** Frees it. */
  async clear(): Promise<void> {
    const cache = this.#cache;
    this.#cache = undefined;
    this.#tokens = [];
    await cache?.dispose();
  }

  counters(): NonNullable<EngineCounters["prefixKVCache"]> {
    return {
      enabled: this.#enabled,
      entries: this.#cache === undefined ? 0 : 1,
      maxEntries: this.#enabled ? 1 : 0,
      hits: this.#hits,
      misses: this.#misses,
      storedPrefixes: this.#stored,
      reusedTokens: this.#reused,
      storedTokens: this.#cache === undefined ? 0 : this.#tokens.length,
    };
  }
}
