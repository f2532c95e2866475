/**
 * Pictures that a camera took lying on its side.
 *
 * @module
 */
import type { RgbImage } from "../../images/rgb_image.ts";

/** Turns an image to the right by quarter turns. */
export function turnImage(image: RgbImage, turns: number): RgbImage {
  const { width, height, data } = image;
  const quarter = ((turns % 4) + 4) % 4;
  if (quarter === 0) return image;
  const out = new Uint8Array(data.length);
  const columns = quarter === 2 ? width : height;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [toX, toY] = quarter === 1
        ? [height - 1 - y, x]
        : quarter === 2
        ? [width - 1 - x, height - 1 - y]
        : [y, width - 1 - x];
      const [from, to] = [3 * (y * width + x), 3 * (toY * columns + toX)];
      for (let c = 0; c < 3; c++) out[to + c] = data[from + c];
    }
  }
  return { width: columns, height: quarter === 2 ? height : width, data: out };
}
