/**
 * A model's tokens as the text that they add to an answer.
 *
 * @module
 */
import type { TokenVocabulary } from "../contract/language_model.ts";

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
