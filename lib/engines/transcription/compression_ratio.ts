/**
 * How much a text repeats itself.
 *
 * @module
 */
import { deflate } from "../../platform/files/compression.ts";

/** Bytes of a text in UTF-8 over bytes of the same in the form of zlib; 0 for no text. */
export function compressionRatio(text: string): number {
  const bytes = new TextEncoder().encode(text);
  return bytes.length / deflate(bytes).length;
}
