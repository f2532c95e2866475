/**
 * Bytes in JSON.
 *
 * @module
 */

/** Bytes of one call, a multiple of three: the arguments of a function are limited. */
const PART = 24_576;

/** The base64 of bytes (RFC 4648), with padding. */
export function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PART) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PART)));
  }
  return text;
}
