/**
 * Compression by zlib.
 *
 * @module
 */
import { deflateSync } from "node:zlib";

/**
 * Bytes in the form of zlib (RFC 1950) at its highest level: at the default one, builds for speed pass over repetitions of
 * three bytes that the original finds.
 */
export function deflate(bytes: Uint8Array): Uint8Array {
  return deflateSync(bytes, { level: 9 });
}
