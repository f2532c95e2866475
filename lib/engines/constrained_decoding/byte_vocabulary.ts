/**
 * The vocabulary of all bytes.
 *
 * @module
 */

/** The id behind those of all bytes, which ends a text. */
export const BYTE_END = 256;

/** What each id stands for. */
export const BYTES: readonly Uint8Array[] = [
  ...Array.from({ length: BYTE_END }, (_, byte) => Uint8Array.of(byte)),
  new Uint8Array(),
];
