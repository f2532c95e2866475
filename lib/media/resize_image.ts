/**
 * Pictures of other sizes.
 *
 * @module
 */
import { checkPixels, type RgbImage } from "./rgb_image.ts";

/** How pixels between pixels are made; all but `nearest` look at every pixel that a smaller picture leaves out. */
export type ResizeKernel = "nearest" | "linear" | "cubic" | "lanczos3";

/**
 * Stretches a picture to a size.
 *
 * @example
 * ```ts
 * import { resizeImage } from "@svc/sdk/media";
 * const grey = { width: 4, height: 2, data: new Uint8Array(24).fill(128) };
 * const small = await resizeImage(grey, { width: 2, height: 2 }, "cubic");
 * console.assert(small.data.length === 12 && small.data[0] === 128);
 * ```
 *
 * @throws {RangeError} when a size is no positive integer.
 */
export async function resizeImage(
  image: RgbImage,
  size: { readonly width: number; readonly height: number },
  kernel: ResizeKernel,
): Promise<RgbImage> {
  checkPixels(image);
  const { width, height } = size;
  if (![width, height].every((n) => Number.isSafeInteger(n) && n > 0)) {
    throw new RangeError(`Cannot resize a picture: the size is ${width}x${height}, expected positive whole numbers`);
  }
  if (width === image.width && height === image.height) return image;
  const { default: sharp } = await import("sharp");
  const data = await sharp(image.data, { raw: { width: image.width, height: image.height, channels: 3 } })
    .resize({ width, height, kernel, fit: "fill" })
    .raw()
    .toBuffer();
  return { width, height, data: new Uint8Array(data) };
}
