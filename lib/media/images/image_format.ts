/**
 * Formats of images by their first bytes, and the bounds of images that are decoded.
 *
 * @module
 */

/** A format that {@link decodeImage} reads. */
type ImageFormat = "png" | "jpeg" | "webp" | "gif" | "avif" | "bmp" | "tiff";

/** Signatures at an offset; `?` stands for any byte. */
const SIGNATURES: readonly (readonly [ImageFormat, number, string])[] = [
  ["png", 0, "\x89PNG\r\n\x1a\n"],
  ["jpeg", 0, "\xff\xd8\xff"],
  ["webp", 0, "RIFF????WEBP"],
  ["gif", 0, "GIF87a"],
  ["gif", 0, "GIF89a"],
  ["bmp", 0, "BM"],
  ["tiff", 0, "II*\0"],
  ["tiff", 0, "MM\0*"],
];

/** Brands of AV1 images and image sequences (AVIF 1.2, sections 6 and 8). */
const AVIF_BRANDS = ["avif", "avis", "MA1A", "MA1B"];

/** Brands of HEVC images and image sequences (ISO/IEC 23008-12, annex B). */
const HEIC_BRANDS = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"];

/** Most bytes of a `ftyp` box that are read. */
const MAX_FILE_TYPE = 1024;

/** The format of an encoded image by its content; undefined when unsupported. */
export function imageFormat(bytes: Uint8Array): ImageFormat | undefined {
  if (brandsOf(bytes).some((brand) => AVIF_BRANDS.includes(brand))) return "avif";
  return SIGNATURES.find(([, offset, signature]) =>
    bytes.length >= offset + signature.length &&
    [...signature].every((c, i) => c === "?" || c.charCodeAt(0) === bytes[offset + i])
  )?.[0];
}

/** The name of a known format that cannot be decoded; undefined for all others. */
export function unsupportedFormat(bytes: Uint8Array): "HEIC" | "HEIF" | undefined {
  const brands = brandsOf(bytes);
  if (brands.some((brand) => AVIF_BRANDS.includes(brand))) return undefined;
  if (brands.some((brand) => HEIC_BRANDS.includes(brand))) return "HEIC";
  return brands.some((brand) => ["mif1", "mif2", "msf1", "miaf"].includes(brand)) ? "HEIF" : undefined;
}

/**
 * An AVIF file in the form that decoders recognise: those that look at the first brand alone accept `avif` and
 * `mif1`, while a file may name any brand first and `avif` among the compatible ones.
 */
export function withKnownBrand(avif: Uint8Array): Uint8Array {
  if (["avif", "mif1"].includes(textAt(avif, 8))) return avif;
  const copy = avif.slice();
  copy.set(new TextEncoder().encode("avif"), 8);
  return copy;
}

/** The major brand of a file in the ISO base media format, then the compatible ones (ISO/IEC 14496-12, section 4.3). */
function brandsOf(bytes: Uint8Array): string[] {
  if (bytes.length < 12 || textAt(bytes, 4) !== "ftyp") return [];
  const size = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
  const end = Math.min(size, bytes.length, MAX_FILE_TYPE);
  const brands = [textAt(bytes, 8)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(textAt(bytes, at));
  return brands;
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

/** Bounds of an image that is decoded. */
export interface ImageLimits {
  /** Of the encoded image. */
  readonly bytes: number;
  /** By its header. */
  readonly pixels: number;
  readonly side: number;
}

/** Most bytes of an encoded image: 32 MiB. */
export const MAX_IMAGE_BYTES: number = 32 * 1024 * 1024;

/** Most pixels of an image, by its header: 40 megapixels. */
const MAX_IMAGE_PIXELS: number = 40_000_000;

/** Most pixels of a side: a row or column of millions takes minutes where the same number of pixels takes a second. */
const MAX_IMAGE_SIDE: number = 32_768;

/** The bounds of images that others are made from. */
export const IMAGE_LIMITS: ImageLimits = { bytes: MAX_IMAGE_BYTES, pixels: MAX_IMAGE_PIXELS, side: MAX_IMAGE_SIDE };

/** The bounds of images that geometry is found in. */
export const VISION_IMAGE_LIMITS: ImageLimits = { bytes: 512 * 2 ** 20, pixels: 64_000_000, side: 16_384 };
