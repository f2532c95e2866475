/**
 * Resampling of images in bytes.
 *
 * @module
 */
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { type ChooseTaps, type ImageSize, resampleAxis } from "./resample.ts";

/** The image at another size, rounded to bytes once both axes are done. */
export function resampleBytes(image: RgbImage, { width, height }: ImageSize, choose: ChooseTaps): RgbImage {
  const source = Float32Array.from(image.data);
  const wide = resampleAxis(source, image.height, image.width, 3, choose(image.width, width));
  const values = resampleAxis(wide, 1, image.height, 3 * width, choose(image.height, height));
  // Clamped arrays round to the nearest byte, of two equally near ones to the even one.
  return { width, height, data: new Uint8Array(Uint8ClampedArray.from(values).buffer) };
}
