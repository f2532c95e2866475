/**
 * Decodes token ids into text as they arrive.
 *
 * @module
 */

/** Replaces bytes that are not valid text, or not yet. */
const REPLACEMENT = "\ufffd";

/** A character has at most four bytes: with more tokens pending, some of them are invalid text. */
const MAX_WAITING = 8;

/**
 * Decodes tokens one by one. A token can end within a character, and its text can depend on the token before, so each
 * step decodes a few earlier tokens again and takes what is new; text that may still change waits for the next token.
 * The outputs, joined, are the text of all tokens.
 *
 * @example
 * ```ts
 * import { IncrementalDecoder } from "./incremental_decoder.ts";
 * const bytes = [[0xe2, 0x82], [0xac], [0x21]];
 * const utf8 = new TextDecoder();
 * const decoder = new IncrementalDecoder((ids) => utf8.decode(new Uint8Array(ids.flatMap((id) => bytes[id]))));
 * console.assert(decoder.push(0) === "" && decoder.push(1) === "€" && decoder.push(2) === "!");
 * ```
 */
export class IncrementalDecoder {
  readonly #decode: (ids: readonly number[]) => string;
  /** The last `#emitted` emitted tokens, followed by the pending ones. */
  #ids: number[] = [];
  #emitted = 0;

  /** @param decode The text of tokens, with U+FFFD for invalid bytes, without cleaning up spaces. */
  constructor(decode: (ids: readonly number[]) => string) {
    this.#decode = decode;
  }

  /** The new text after a token, which may be empty. */
  push(id: number): string {
    this.#ids.push(id);
    const text = this.#decode(this.#ids);
    if (!text.endsWith(REPLACEMENT)) return this.#emit(this.#ids.length, text);
    if (this.#ids.length - this.#emitted <= MAX_WAITING) return "";
    // The last three tokens may still become a character; whatever precedes them cannot change.
    for (let count = this.#ids.length - 3; count > this.#emitted; count--) {
      const sure = this.#decode(this.#ids.slice(0, count));
      if (text.startsWith(sure)) return this.#emit(count, sure);
    }
    return "";
  }

  /** The pending text. */
  flush(): string {
    return this.#emit(this.#ids.length, this.#decode(this.#ids));
  }

  /** `text` is that of the first `count` tokens. */
  #emit(count: number, text: string): string {
    const news = text.slice(this.#decode(this.#ids.slice(0, this.#emitted)).length);
    if (count > this.#emitted) {
      this.#ids = this.#ids.slice(this.#emitted);
      this.#emitted = count - this.#emitted;
    }
    return news;
  }
}
