/**
 * Decodes images.
 *
 * @module
 */
import type { Sharp } from "sharp";
import { SvcError } from "../../errors/svc_error.ts";
import { bmpSize, decodeBmp } from "./bmp.ts";
import { IMAGE_LIMITS, imageFormat, type ImageLimits, unsupportedFormat, withKnownBrand } from "./image_format.ts";
import type { RgbaImage, RgbImage } from "./rgb_image.ts";

/**
 * Decodes a PNG, JPEG, WebP, GIF, AVIF, BMP or TIFF image, recognised by content. The EXIF orientation is applied,
 * transparent parts are shown on white, colours become 8-bit sRGB, and of an animation the first frame is taken.
 * Limits are checked against the header before anything is decoded.
 *
 * @example
 * ```ts
 * import { decodeImage, encodePng } from "@svc/sdk/media";
 * const png = await encodePng({ width: 1, height: 1, data: new Uint8Array([1, 2, 3]) });
 * const image = await decodeImage(png);
 * console.assert(image.width === 1 && image.data[2] === 3);
 * ```
 *
 * @param limits Most bytes of the file, and most pixels of the image and of a side: 32 MiB, 40 million and 32768 where
 *   nothing is given.
 * @throws {SvcError} if the image has another format, is too large or damaged; `code` says which.
 */
export async function decodeImage(
  bytes: Uint8Array,
  limits: { readonly bytes: number; readonly pixels: number; readonly side: number } = IMAGE_LIMITS,
): Promise<RgbImage> {
  return await decodeWith(bytes, limits, (image) => image, flattened);
}

/**
 * Decodes the same formats as {@linkcode decodeImage} with the same limits, and keeps what is transparent: an image
 * without transparency is opaque everywhere.
 *
 * @throws {SvcError} when the image is none of these, too large, or damaged; `code` says which.
 */
export async function decodeRgbaImage(bytes: Uint8Array, limits: ImageLimits = IMAGE_LIMITS): Promise<RgbaImage> {
  return await decodeWith(bytes, limits, opaque, transparent);
}

/** An image file that is not in memory. */
interface ImageFile {
  readonly path: string;
  readonly bytes: number;
  /** Its first bytes, a kilobyte or all of them. */
  readonly head: Uint8Array;
}

/**
 * The size that an image will have, read from its header alone.
 *
 * @throws {SvcError} as {@linkcode decodeImage}.
 */
export async function imageSize(
  { path, bytes, head }: ImageFile,
  limits: ImageLimits,
): Promise<{ readonly width: number; readonly height: number }> {
  const format = checkedFormat(head, bytes, limits);
  if (format === "bmp") {
    const size = bmpSize(head);
    checkPixelCount(size, limits);
    return size;
  }
  return await readable(format, async () => {
    const { width, height, autoOrient } = await sharpHeader(path, limits);
    return autoOrient ?? { width, height };
  });
}

async function decodeWith<T>(
  bytes: Uint8Array,
  limits: ImageLimits,
  fromRgb: (image: RgbImage) => T,
  bySharp: (image: Sharp) => Promise<T>,
): Promise<T> {
  const format = checkedFormat(bytes, bytes.length, limits);
  if (format === "bmp") {
    checkPixelCount(bmpSize(bytes), limits);
    return fromRgb(decodeBmp(bytes));
  }
  const image = format === "avif" ? withKnownBrand(bytes) : bytes;
  return await readable(format, async () => {
    await sharpHeader(image, limits);
    const { default: sharp } = await import("sharp");
    return await bySharp(sharp(image, { limitInputPixels: limits.pixels, failOn: "error", pages: 1 }));
  });
}

function checkedFormat(
  head: Uint8Array,
  length: number,
  limits: ImageLimits,
): NonNullable<ReturnType<typeof imageFormat>> {
  if (length > limits.bytes) {
    throw new SvcError("image_too_large", `Cannot decode image: ${length} bytes, expected at most ${limits.bytes}`);
  }
  const format = imageFormat(head);
  if (format) return format;
  const known = unsupportedFormat(head);
  const found = known ? `it is a ${known} image` : "its format is unknown";
  const message = `Cannot decode image: ${found}, expected PNG, JPEG, WebP, GIF, AVIF, BMP or TIFF`;
  throw new SvcError("image_unsupported", known ? `${message}; save it as JPEG or PNG first` : message);
}

/** Reads only the header, without a limit, so that an excessive size is distinguished from damage. */
async function sharpHeader(image: Uint8Array | string, limits: ImageLimits) {
  const { default: sharp } = await import("sharp");
  sharp.cache(false); // every image is decoded once
  const header = await sharp(image, { limitInputPixels: false }).metadata();
  checkPixelCount(header, limits);
  return header;
}

async function readable<T>(format: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SvcError) throw error;
    const reason = error instanceof Error ? error.message.trim().split("\n")[0] : String(error);
    throw new SvcError("image_damaged", `Cannot decode ${format.toUpperCase()} image: ${reason}`, { cause: error });
  }
}

async function flattened(image: Sharp): Promise<RgbImage> {
  const { data, info } = await image
    .autoOrient()
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

async function transparent(image: Sharp): Promise<RgbaImage> {
  const { data, info } = await image
    .autoOrient()
    .toColourspace("srgb")
    .ensureAlpha()
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

function opaque({ width, height, data }: RgbImage): RgbaImage {
  const out = new Uint8Array(4 * width * height).fill(255);
  for (let i = 0; i < width * height; i++) out.set(data.subarray(3 * i, 3 * i + 3), 4 * i);
  return { width, height, data: out };
}

function checkPixelCount(
  { width, height }: { readonly width: number; readonly height: number },
  { pixels, side }: ImageLimits,
): void {
  if (width * height > pixels || width > side || height > side) {
    throw new SvcError(
      "image_too_large",
      `Cannot decode image: ${width}x${height} pixels, expected at most ${pixels / 1e6} megapixels and ` +
        `${side} pixels a side`,
    );
  }
}
