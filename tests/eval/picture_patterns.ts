/**
 * Finds what a picture shows among pictures of what it may show.
 *
 * @module
 */
import { resizeImage } from "../../lib/media/images/resize_image.ts";
import type { RgbImage } from "../../lib/media/images/rgb_image.ts";

/** Of the pictures that are compared. */
export const PATTERN = { width: 24, height: 16 } as const;

/** Pixels of a side of the blocks by which most pictures are passed over. */
const BLOCK = 4;

/** Small pictures, each of something. */
export class PicturePatterns<What> {
  readonly #patterns: { readonly what: What; readonly picture: Uint8Array; readonly blocks: Uint16Array }[] = [];

  /** Adds a picture of the size of {@linkcode PATTERN}. */
  add(what: What, { data }: RgbImage): void {
    this.#patterns.push({ what, picture: data, blocks: blockSums(data) });
  }

  /** What the nearest picture is of, by the sum of absolute differences: a lamp in the wrong place weighs little. */
  nearest(image: RgbImage): What {
    const picture = resizeImage(image, PATTERN.width, PATTERN.height, "linear").data;
    const sums = blockSums(picture);
    // Sums of blocks differ by no more than their pixels do.
    const bounds = this.#patterns.map(({ blocks }) => difference(sums, blocks, Infinity));
    let found = this.#patterns[bounds.indexOf(bounds.reduce((a, b) => Math.min(a, b), Infinity))];
    let best = difference(picture, found.picture, Infinity);
    for (const [i, pattern] of this.#patterns.entries()) {
      if (bounds[i] >= best) continue;
      const distance = difference(picture, pattern.picture, best);
      if (distance < best) [best, found] = [distance, pattern];
    }
    return found.what;
  }
}

/** The sum of absolute differences, or some of it where that is `enough`. */
function difference(a: ArrayLike<number>, b: ArrayLike<number>, enough: number): number {
  let sum = 0;
  for (let i = 0; i < a.length && sum < enough; i++) sum += Math.abs(a[i] - b[i]);
  return sum;
}

function blockSums(picture: Uint8Array): Uint16Array {
  const across = PATTERN.width / BLOCK;
  const sums = new Uint16Array(across * (PATTERN.height / BLOCK) * 3);
  for (let row = 0, i = 0; row < PATTERN.height; row++) {
    for (let column = 0; column < PATTERN.width; column++) {
      const block = 3 * (Math.floor(row / BLOCK) * across + Math.floor(column / BLOCK));
      for (let c = 0; c < 3; c++, i++) sums[block + c] += picture[i];
    }
  }
  return sums;
}
