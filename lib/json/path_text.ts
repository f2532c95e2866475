/**
 * Paths in requests, as far as their text goes.
 *
 * @module
 */

/** Most bytes of UTF-8 of a path: those that Linux takes. */
export const MAX_PATH_BYTES = 4096;

/** Most folders of a path: each costs a look at the disk. */
export const MAX_PATH_SEGMENTS = 256;

/** The words of an error about an invalid path. */
export const PATH_EXPECTED: string = `expected a file path, of at most ${MAX_PATH_BYTES} bytes and ` +
  `${MAX_PATH_SEGMENTS} folders`;

/** Whether a text can be the path of something: not empty, without a zero byte and not too long. */
export function isPathText(text: string): boolean {
  if (text === "" || text.length > MAX_PATH_BYTES || text.includes("\0")) return false;
  if (new TextEncoder().encode(text).length > MAX_PATH_BYTES) return false;
  return text.split(/[\\/]/).length <= MAX_PATH_SEGMENTS;
}
