/**
 * Converts ranges of code points to ranges of bytes.
 *
 * @module
 */
import type { CodeRange } from "./expression.ts";

/** A sequence of bytes, each within its range. */
export type ByteRanges = readonly CodeRange[];

/** Largest code points of one to four bytes. */
const LAST = [0x7f, 0x7ff, 0xffff, 0x10ffff];

/**
 * The UTF-8 encodings of a range of code points (Unicode Standard, table 3-7), without surrogates.
 *
 * @param first At least 0x80: lower ones are their own bytes.
 */
export function utf8Ranges(first: number, last: number): ByteRanges[] {
  if (first > last) return [];
  if (first <= 0xdfff && last >= 0xd800) return [...utf8Ranges(first, 0xd7ff), ...utf8Ranges(0xe000, last)];
  for (const end of LAST) {
    if (first <= end && last > end) return [...utf8Ranges(first, end), ...utf8Ranges(end + 1, last)];
  }
  // Split until all bytes after the first difference have their full range.
  const count = encode(first).length;
  for (let i = 1; i < count; i++) {
    const mask = 2 ** (6 * i) - 1;
    if (Math.floor(first / (mask + 1)) === Math.floor(last / (mask + 1))) continue;
    if ((first & mask) !== 0) return [...utf8Ranges(first, first | mask), ...utf8Ranges((first | mask) + 1, last)];
    if ((last & mask) !== mask) return [...utf8Ranges(first, (last & ~mask) - 1), ...utf8Ranges(last & ~mask, last)];
  }
  const [from, to] = [encode(first), encode(last)];
  return [from.map((byte, i): CodeRange => [byte, to[i]])];
}

function encode(code: number): number[] {
  return [...new TextEncoder().encode(String.fromCodePoint(code))];
}
