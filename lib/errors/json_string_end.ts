/**
 * Where a string in a JSON text ends.
 *
 * @module
 */

/** The place of the quote that ends the string which begins with the quote at `start`; the length of a text without. */
export function jsonStringEnd(text: string, start: number): number {
  for (let end = start;;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
}
