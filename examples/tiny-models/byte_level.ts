/**
 * Bytes as characters, as byte-level tokenizers write them ("Language Models are Unsupervised Multitask Learners",
 * Radford et al. 2019, and the encoder published with it): printable Latin-1 stands for itself, every other byte for
 * the next code point from 256 on.
 *
 * @module
 */

const printable = (byte: number): boolean =>
  (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);

let shifted = 256;

/** The character of each byte. */
export const BYTE_CHARACTERS: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => String.fromCharCode(printable(byte) ? byte : shifted++),
);

/** Writes bytes as characters. */
export function byteLevel(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => BYTE_CHARACTERS[byte]).join("");
}
