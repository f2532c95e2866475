/**
 * Parts from the middle of images.
 *
 * @module
 */
import { resizeImage, type ResizeKernel } from "./resize_image.ts";
import type { RgbImage } from "./rgb_image.ts";

interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The largest part from the middle of the image that has the proportions of the size, resized to it. */
export function coverImage(image: RgbImage, size: PixelSize, kernel: ResizeKernel = "linear"): RgbImage {
  const scale = Math.max(size.width / image.width, size.height / image.height);
  const part = {
    width: Math.max(1, Math.min(image.width, Math.round(size.width / scale))),
    height: Math.max(1, Math.min(image.height, Math.round(size.height / scale))),
  };
  return resizeImage(cropCentre(image, part), size.width, size.height, kernel);
}

/** The part of this size from the middle of an image that is at least as large. */
export function cropCentre(image: RgbImage, { width, height }: PixelSize): RgbImage {
  if (image.width === width && image.height === height) return image;
  const left = Math.floor((image.width - width) / 2);
  const top = Math.floor((image.height - height) / 2);
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) {
    const from = 3 * ((top + y) * image.width + left);
    data.set(image.data.subarray(from, from + 3 * width), 3 * y * width);
  }
  return { width, height, data };
}
