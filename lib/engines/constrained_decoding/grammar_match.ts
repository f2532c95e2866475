/**
 * An answer constrained by a grammar, on the model's tokens as the text that they add.
 *
 * @module
 */
import type { GrammarMatcher } from "@mlc-ai/web-xgrammar";
import { isAllowed } from "./token_table.ts";
import type { TokenConstraint, TokenVocabulary } from "../contract/language_model.ts";

/** The id after those of all bytes, which ends a text. */
export const BYTE_END = 256;

/** The byte of each id. */
export const BYTES: readonly Uint8Array[] = [
  ...Array.from({ length: BYTE_END }, (_, byte) => Uint8Array.of(byte)),
  new Uint8Array(),
];

/** After so many rejected choices all tokens are tested. */
const MAX_REFUSED = 4;

/** Matches an answer against two grammars: the loose one proposes, the exact one decides. */
export class GrammarMatch implements TokenConstraint {
  readonly #loose: GrammarMatcher;
  readonly #exact: GrammarMatcher;
  readonly #vocabulary: TextVocabulary;
  readonly #refused = new Set<number>();

  /** @param exact Accepts bytes, and the id after those of all bytes for the end. */
  constructor(loose: GrammarMatcher, exact: GrammarMatcher, vocabulary: TextVocabulary) {
    this.#loose = loose;
    this.#exact = exact;
    this.#vocabulary = vocabulary;
  }

  async mask(): Promise<Int32Array> {
    const mask = await this.#loose.getNextTokenBitmask();
    if (!isAllowed(await this.#exact.getNextTokenBitmask(), BYTE_END)) forbid(mask, this.#vocabulary.endTokens);
    forbid(mask, this.#refused);
    if (this.#refused.size >= MAX_REFUSED) this.#tryAll(mask);
    return mask;
  }

  accept(id: number): boolean {
    const bytes = this.#vocabulary.tokens[id];
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

  /** Accepts all bytes or none. */
  #take(bytes: Uint8Array): boolean {
    for (let i = 0; i < bytes.length; i++) {
      if (this.#exact.acceptToken(bytes[i])) continue;
      if (i > 0) this.#exact.rollBack(i);
      return false;
    }
    return true;
  }

  /**
   * Keeps only tokens that the exact grammar accepts, such as at the maximum length of a text. Tokens with a common
   * prefix are adjacent, and the prefix is tested once.
   */
  #tryAll(mask: Int32Array): void {
    let last: Uint8Array = new Uint8Array();
    let taken = 0; // bytes of the last one
    for (const id of this.#vocabulary.inOrder) {
      if (!isAllowed(mask, id)) continue;
      const bytes = this.#vocabulary.tokens[id];
      const shared = sharedLength(last, bytes);
      if (taken === last.length || shared <= taken) {
        if (taken > shared) this.#exact.rollBack(taken - shared);
        taken = Math.min(taken, shared);
        while (taken < bytes.length && this.#exact.acceptToken(bytes[taken])) taken++;
        last = bytes;
      }
      if (taken < bytes.length) forbid(mask, [id]);
    }
    if (taken > 0) this.#exact.rollBack(taken);
  }
}

/** Tokens that are special in some families but are text here. */
const WRITTEN_MARKS =
  /^<\/?tool_call>$|^<\|\/?tool_call\|>$|^\[\/?TOOL_CALLS\]$|^<\/?(seed:)?think(ing)?>$|^<\/?reasoning>$|^\[\/?THINK\]$/;

/** The bytes of all tokens. */
export class TextVocabulary {
  /** Undefined for a token that adds no text, such as an end token: it is never allowed within the answer. */
  readonly tokens: readonly Uint8Array[];
  readonly endTokens: readonly number[];
  #inOrder: readonly number[] | undefined;

  constructor(vocabulary: TokenVocabulary) {
    this.tokens = Array.from({ length: vocabulary.size }, (_, id) => textBytes(vocabulary, id));
    this.endTokens = vocabulary.endTokens;
  }

  /** Ids of the tokens that add text, sorted so that common prefixes are adjacent. */
  get inOrder(): readonly number[] {
    return this.#inOrder ??= sorted(this.tokens);
  }
}

function sorted(tokens: readonly Uint8Array[]): number[] {
  const letters = tokens.map((bytes) => String.fromCharCode(...bytes));
  return [...tokens.keys()].filter((id) => tokens[id].length > 0)
    .sort((a, b) => letters[a] < letters[b] ? -1 : letters[a] > letters[b] ? 1 : a - b);
}

function textBytes(vocabulary: TokenVocabulary, id: number): Uint8Array {
  const bytes = vocabulary.endTokens.includes(id) ? new Uint8Array() : vocabulary.bytesOf(id);
  const isMark = vocabulary.isSpecial(id) && !WRITTEN_MARKS.test(new TextDecoder().decode(bytes));
  return isMark ? new Uint8Array() : bytes;
}

function sharedLength(a: Uint8Array, b: Uint8Array): number {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  return i;
}

function forbid(mask: Int32Array, ids: Iterable<number>): void {
  for (const id of ids) mask[id >> 5] &= ~(1 << (id & 31));
}
