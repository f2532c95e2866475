/**
 * Regular files of a POSIX ustar archive: 512-byte headers, each followed by its content padded to 512 bytes.
 *
 * @param {Uint8Array} tar
 * @returns {Generator<{ name: string, content: Uint8Array }, void, void>}
 */
export function* readTar(tar) {
  const text = new TextDecoder();
  const field = (/** @type {number} */ at, /** @type {number} */ length) =>
    text.decode(tar.subarray(at, at + length)).split("\0")[0].trim();
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const size = parseInt(field(at + 124, 12), 8);
    const isFile = field(at + 156, 1) === "0" || field(at + 156, 1) === "";
    if (isFile) yield { name: field(at, 100).replace(/^\.\//, ""), content: tar.subarray(at + 512, at + 512 + size) };
    at += 512 + Math.ceil(size / 512) * 512;
  }
}
