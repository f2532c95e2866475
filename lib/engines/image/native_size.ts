/**
 * What an image model that makes one size makes for images of other sizes.
 *
 * @module
 */

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels of a patch of latents: all sides are multiples of it. */
const STEP = 16;

/**
 * What a model makes for an image of another size, to be resized to it: its own height, and a width in between a square
 * and its own.
 *
 * @param native The size that the model was made for; undefined where it makes all.
 */
export function nativeSize({ width, height }: Size, native: Size | undefined): Size {
  if (!native) return { width, height };
  const wanted = Math.round(sameShape(width, height, native) / STEP) * STEP;
  return { width: Math.min(Math.max(wanted, native.height), native.width), height: native.height };
}

/** Whether an image of this size is enlarged or distorted: more pixels than the model makes, or of another shape. */
export function isStretched({ width, height }: Size, native: Size): boolean {
  const made = nativeSize({ width, height }, native);
  return width > made.width || height > made.height ||
    Math.abs(sameShape(width, height, native) - made.width) > STEP / 2;
}

/** The width at which an image of the model's own height has the shape of another. */
function sameShape(width: number, height: number, native: Size): number {
  return native.height * width / height;
}
