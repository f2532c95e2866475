/**
 * Limits of the texts of one request.
 *
 * @module
 */

/** Maximum number of texts of a request. */
export const MAX_TEXTS = 256;

/** Maximum number of UTF-8 bytes of all texts of a request. */
export const MAX_TEXT_BYTES: number = 2 * 2 ** 20;

/** UTF-8 length of a text; a lone surrogate becomes a replacement character, as in encoders. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}
