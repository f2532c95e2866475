/**
 * Detects image formats by their first bytes.
 *
 * @module
 */

/** A format that {@link decodeImage} reads. */
export type ImageFormat = "png" | "jpeg" | "webp" | "gif" | "avif" | "bmp" | "tiff";

/** Signatures at an offset; `?` stands for any byte. */
const SIGNATURES: readonly (readonly [ImageFormat, number, string])[] = [
  ["png", 0, "\x89PNG\r\n\x1a\n"],
  ["jpeg", 0, "\xff\xd8\xff"],
  ["webp", 0, "RIFF????WEBP"],
  ["gif", 0, "GIF87a"],
  ["gif", 0, "GIF89a"],
  ["avif", 4, "ftypavif"],
  ["avif", 4, "ftypavis"],
  ["bmp", 0, "BM"],
  ["tiff", 0, "II*\0"],
  ["tiff", 0, "MM\0*"],
];

/** The format of an encoded image by its content; undefined when unsupported. */
export function imageFormat(bytes: Uint8Array): ImageFormat | undefined {
  return SIGNATURES.find(([, offset, signature]) =>
    bytes.length >= offset + signature.length &&
    [...signature].every((c, i) => c === "?" || c.charCodeAt(0) === bytes[offset + i])
  )?.[0];
}
