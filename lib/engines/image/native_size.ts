/**
 * Sizes that a small model makes itself.
 *
 * @module
 */

/** Width and height in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

const STEP = 16;

/**
 * What a model makes for an image of another size, to be stretched to it: its own height, and a width in between a square
 * and its own.
 */
export function nativeSize({ width, height }: Size, native: Size | undefined): Size {
  if (!native) return { width, height };
  const wanted = Math.round(native.height * width / height / STEP) * STEP;
  return { width: Math.min(Math.max(wanted, native.height), native.width), height: native.height };
}
