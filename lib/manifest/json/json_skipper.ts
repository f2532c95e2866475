/**
 * Skips over the values of a JSON text.
 *
 * @module
 */
import { BACKSLASH, OPEN_ARRAY, OPEN_OBJECT, QUOTE, wordEnd } from "./json_tokens.ts";

/**
 * Finds where values end in a text that `JSON.parse` has accepted, so that only strings and braces of an object matter,
 * and strings and brackets of an array. The engine's search is faster than a loop over characters. Positions must be
 * requested in ascending order: then every search passes through the text once.
 */
export class JsonSkipper {
  readonly #text: string;
  readonly #quote: Search;
  readonly #braces: readonly [Search, Search];
  readonly #brackets: readonly [Search, Search];

  constructor(text: string) {
    this.#text = text;
    this.#quote = new Search(text, '"');
    this.#braces = [new Search(text, "{"), new Search(text, "}")];
    this.#brackets = [new Search(text, "["), new Search(text, "]")];
  }

  /** The end of the value that begins here. */
  valueEnd(start: number): number {
    switch (this.#text.charCodeAt(start)) {
      case QUOTE:
        return this.stringEnd(start);
      case OPEN_OBJECT:
        return this.#containerEnd(start, this.#braces);
      case OPEN_ARRAY:
        return this.#containerEnd(start, this.#brackets);
      default:
        return wordEnd(this.#text, start);
    }
  }

  /** The end of the string that begins here. */
  stringEnd(start: number): number {
    const text = this.#text;
    for (let at = text.indexOf('"', start + 1);; at = text.indexOf('"', at + 1)) {
      if (text.charCodeAt(at - 1) !== BACKSLASH) return at + 1;
      let escapes = at - 1;
      while (text.charCodeAt(escapes) === BACKSLASH) escapes--;
      if ((at - escapes) % 2 === 1) return at + 1;
    }
  }

  #containerEnd(start: number, [opening, closing]: readonly [Search, Search]): number {
    let depth = 0;
    let at = start;
    do {
      const quote = this.#quote.next(at);
      const open = opening.next(at);
      const close = closing.next(at);
      if (quote < open && quote < close) at = this.stringEnd(quote);
      else if (open < close) {
        depth++;
        at = open + 1;
      } else {
        depth--;
        at = close + 1;
      }
    } while (depth > 0);
    return at;
  }
}

/** The next position of a character. */
class Search {
  readonly #text: string;
  readonly #character: string;
  #at = -1;

  constructor(text: string, character: string) {
    this.#text = text;
    this.#character = character;
  }

  /** From `from` on; the end of the text when there is none. */
  next(from: number): number {
    if (this.#at < from) {
      const at = this.#text.indexOf(this.#character, from);
      this.#at = at < 0 ? this.#text.length : at;
    }
    return this.#at;
  }
}
