/**
 * Token ids to text, as they come.
 *
 * @module
 */

/** What stands for bytes that are no text, or not yet. */
const REPLACEMENT = "\ufffd";

/** A character has at most four bytes: with more tokens waiting, some of them are no text at all. */
const MAX_WAITING = 8;

/**
 * Decodes tokens one by one. A token can end within a character, and a tokenizer can write a token differently behind
 * another one, so each step decodes a few tokens before it again and takes what is new; text that may still change
 * waits for the next token. What comes out is, joined, the text of all tokens.
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
  /** The tokens that came out last, and behind these `#told` ones those that wait. */
  #ids: number[] = [];
  #told = 0;

  /** @param decode The text of tokens, with U+FFFD for bytes that are no text, without cleaning up spaces. */
  constructor(decode: (ids: readonly number[]) => string) {
    this.#decode = decode;
  }

  /** The text that a token brings, which may be empty. */
  push(id: number): string {
    this.#ids.push(id);
    const text = this.#decode(this.#ids);
    if (!text.endsWith(REPLACEMENT)) return this.#tell(this.#ids.length, text);
    if (this.#ids.length - this.#told <= MAX_WAITING) return "";
    // The last three tokens may still become a character; what cannot change before them comes out.
    for (let count = this.#ids.length - 3; count > this.#told; count--) {
      const sure = this.#decode(this.#ids.slice(0, count));
      if (text.startsWith(sure)) return this.#tell(count, sure);
    }
    return "";
  }

  /** The text that has waited for further tokens. */
  flush(): string {
    return this.#tell(this.#ids.length, this.#decode(this.#ids));
  }

  /** `text` is that of the first `count` tokens. */
  #tell(count: number, text: string): string {
    const news = text.slice(this.#decode(this.#ids.slice(0, this.#told)).length);
    if (count > this.#told) {
      this.#ids = this.#ids.slice(this.#told);
      this.#told = count - this.#told;
    }
    return news;
  }
}
