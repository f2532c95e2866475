/**
 * The vocabulary file of Moonshine's own packages.
 *
 * @module
 */

/** Maximum size of a vocabulary. */
const MAX_TOKENS = 2 ** 20;

/**
 * Reads `tokenizer.bin`: for each id the length of its text, a byte or, from 128 on, two of which the first is 128 more
 * than the lower seven bits, then its bytes.
 *
 * @throws {Error} when it is not whole.
 */
export function readBinTokenizer(bytes: Uint8Array): readonly Uint8Array[] {
  const tokens: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    let length = bytes[at++];
    if (length >= 128) length = (bytes[at++] ?? 0) * 128 + length - 128;
    if (at + length > bytes.length || tokens.length === MAX_TOKENS) {
      throw new Error(`Cannot use tokenizer.bin: token ${tokens.length} goes beyond its end, expected a whole file`);
    }
    tokens.push(bytes.subarray(at, at += length));
  }
  return tokens;
}
