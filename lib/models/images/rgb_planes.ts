/**
 * Pictures as models see them.
 *
 * @module
 */
import type { RgbImage } from "../../media/images/rgb_image.ts";

/** The picture as planes [3,height,width] in [-1,1]. */
export function rgbPlanes({ width, height, data }: RgbImage): Float32Array {
  const size = width * height;
  const planes = new Float32Array(3 * size);
  for (let i = 0; i < size; i++) {
    for (let c = 0; c < 3; c++) planes[c * size + i] = data[3 * i + c] / 127.5 - 1;
  }
  return planes;
}
