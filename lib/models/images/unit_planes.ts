/**
 * Bytes to colours in 0..1.
 *
 * @module
 */
import type { RgbImage } from "../../media/images/rgb_image.ts";

/** The image as planes [3,height,width] in 0..1. */
export function unitPlanes({ width, height, data }: RgbImage): Float32Array {
  const size = width * height;
  const planes = new Float32Array(3 * size);
  for (let i = 0; i < size; i++) {
    for (let c = 0; c < 3; c++) planes[c * size + i] = data[3 * i + c] / 255;
  }
  return planes;
}
