/**
 * The byte vocabulary.
 *
 * @module
 */

/** The id after those of all bytes, which ends a text. */
export const BYTE_END = 256;

/** The byte of each id. */
export const BYTES: readonly Uint8Array[] = [
  ...Array.from({ length: BYTE_END }, (_, byte) => Uint8Array.of(byte)),
  new Uint8Array(),
];
