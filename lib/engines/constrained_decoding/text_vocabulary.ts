/**
 * The tokens of a model as the text that they add to an answer.
 *
 * @module
 */
import type { TokenVocabulary } from "./token_constraint.ts";

/** Marks that are special tokens in some families, and text all the same. */
const WRITTEN_MARKS =
  /^<\/?tool_call>$|^<\|\/?tool_call\|>$|^\[\/?TOOL_CALLS\]$|^<\/?(seed:)?think(ing)?>$|^<\/?reasoning>$|^\[\/?THINK\]$/;

/** The bytes of all tokens. */
export class TextVocabulary {
  /** None for a token that adds no text, such as one that ends the answer: it is never allowed within. */
  readonly tokens: readonly Uint8Array[];
  readonly endTokens: readonly number[];
  #inOrder: readonly number[] | undefined;

  constructor(vocabulary: TokenVocabulary) {
    this.tokens = Array.from({ length: vocabulary.size }, (_, id) => textBytes(vocabulary, id));
    this.endTokens = vocabulary.endTokens;
  }

  /** Ids of the tokens that add text, those that begin in the same way one behind another. */
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
