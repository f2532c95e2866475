/**
 * An answer that keeps to a grammar.
 *
 * @module
 */
import type { GrammarMatcher } from "@mlc-ai/web-xgrammar";
import { BYTE_END } from "./byte_vocabulary.ts";
import type { TokenConstraint } from "./token_constraint.ts";

/** After so many tokens that were chosen and refused, all are tried. */
const MOST_REFUSED = 4;

/** Follows an answer in two grammars, of which the loose one proposes and the exact one decides. */
export class GrammarMatch implements TokenConstraint {
  readonly #loose: GrammarMatcher;
  readonly #exact: GrammarMatcher;
  readonly #tokens: readonly Uint8Array[];
  readonly #endTokens: readonly number[];
  readonly #refused = new Set<number>();

  /** @param exact Takes bytes, and the id behind those of all bytes for the end. */
  constructor(
    loose: GrammarMatcher,
    exact: GrammarMatcher,
    tokens: readonly Uint8Array[],
    endTokens: readonly number[],
  ) {
    this.#loose = loose;
    this.#exact = exact;
    this.#tokens = tokens;
    this.#endTokens = endTokens;
  }

  async mask(): Promise<Int32Array> {
    const mask = await this.#loose.getNextTokenBitmask();
    if (!isAllowed(await this.#exact.getNextTokenBitmask(), BYTE_END)) forbid(mask, this.#endTokens);
    forbid(mask, this.#refused);
    if (this.#refused.size >= MOST_REFUSED) this.#tryAll(mask);
    return mask;
  }

  accept(id: number): boolean {
    const bytes = this.#tokens[id];
    if (bytes === undefined || bytes.length === 0 || !this.#take(bytes)) {
      this.#refused.add(id);
      return false;
    }
    this.#refused.clear();
    return this.#loose.acceptToken(id);
  }

  close(): void {
    this.#loose.dispose();
    this.#exact.dispose();
  }

  /** Takes all bytes or none. */
  #take(bytes: Uint8Array): boolean {
    for (let i = 0; i < bytes.length; i++) {
      if (this.#exact.acceptToken(bytes[i])) continue;
      if (i > 0) this.#exact.rollBack(i);
      return false;
    }
    return true;
  }

  /** Leaves only what the exact grammar takes, as where a text has as many letters as it may have. */
  #tryAll(mask: Int32Array): void {
    for (let id = 0; id < this.#tokens.length; id++) {
      if (!isAllowed(mask, id) || this.#endTokens.includes(id)) continue;
      const bytes = this.#tokens[id];
      if (this.#take(bytes)) this.#exact.rollBack(bytes.length);
      else forbid(mask, [id]);
    }
  }
}

function isAllowed(mask: Int32Array, id: number): boolean {
  return ((mask[id >> 5] >>> (id & 31)) & 1) === 1;
}

function forbid(mask: Int32Array, ids: Iterable<number>): void {
  for (const id of ids) mask[id >> 5] &= ~(1 << (id & 31));
}
