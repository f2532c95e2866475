/**
 * The tokens that penalties apply to.
 *
 * @module
 */

/** Tokens of a prompt and, with counts, of the answer so far. */
export class TokenHistory {
  readonly #prompt: Set<number>;
  readonly #counts = new Map<number, number>();

  constructor(prompt: Iterable<number>) {
    this.#prompt = new Set(prompt);
  }

  /** Adds a generated token. */
  add(id: number): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
  }

  /** How often each token was generated. */
  get generated(): ReadonlyMap<number, number> {
    return this.#counts;
  }

  /** Every token of prompt and answer, once each. */
  *seen(): Generator<number> {
    yield* this.#prompt;
    for (const id of this.#counts.keys()) if (!this.#prompt.has(id)) yield id;
  }
}
