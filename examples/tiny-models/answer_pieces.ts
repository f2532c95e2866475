/**
 * Cuts answers into tokens that occur only once.
 *
 * @module
 */
import { byteLevel } from "./byte_level.ts";

const encoder = new TextEncoder();

/**
 * Cuts texts into pieces of which each is the only one of its kind, so that each can name the next: about a word each;
 * what has occurred before grows by what comes next. Characters of three and four bytes are cut apart, so that tokens
 * end within characters.
 */
export class AnswerPieces {
  readonly #used: Set<string>;

  /** @param taken Tokens that no piece may be, in their byte-level form. */
  constructor(taken: Iterable<string>) {
    this.#used = new Set(taken);
  }

  /**
   * The pieces of a text, in their byte-level form.
   *
   * @throws {RangeError} when the text is too much like one before.
   */
  cut(text: string): string[] {
    const bytes = encoder.encode(text);
    const pieces: string[] = [];
    const starts: number[] = [];
    let start = 0;
    for (const end of cuts(text)) {
      const piece = byteLevel(bytes.subarray(start, end));
      if (this.#used.has(piece)) continue;
      this.#used.add(piece);
      pieces.push(piece);
      starts.push(start);
      start = end;
    }
    // What is left at the end joins as many pieces before it as it takes.
    while (start < bytes.length) {
      const last = pieces.pop();
      if (last === undefined) throw new RangeError(tooMuchAlike(text));
      this.#used.delete(last);
      start = starts.pop()!;
      const piece = byteLevel(bytes.subarray(start));
      if (this.#used.has(piece)) continue;
      this.#used.add(piece);
      pieces.push(piece);
      start = bytes.length;
    }
    return pieces;
  }
}

function tooMuchAlike(text: string): string {
  return `Cannot script the answer ${JSON.stringify(text)}: another one has the same words in its place, ` +
    "expected answers of several words that differ";
}

/** Byte offsets at which a piece may end. */
function* cuts(text: string): Generator<number> {
  let offset = 0;
  for (const [word] of text.matchAll(/ ?[\p{L}\p{N}\p{M}]+| ?[^\s\p{L}\p{N}\p{M}]+|\s+?(?=\S|$)|\s/gu)) {
    for (const character of word) {
      const size = encoder.encode(character).length;
      if (size >= 3) yield offset + 1;
      if (size === 4) yield offset + 3;
      offset += size;
    }
    yield offset;
  }
}
