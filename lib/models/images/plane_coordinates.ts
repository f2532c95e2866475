/**
 * Where the pixels of an image lie on a plane of its shape.
 *
 * @module
 */
import type { ImageSize } from "./resample.ts";

/** Places of columns and rows. */
export interface PlaneCoordinates {
  /** [width] */
  readonly x: Float64Array;
  /** [height] */
  readonly y: Float64Array;
}

/**
 * Centres of pixels on a plane whose diagonal reaches from -1 to 1, the right and lower half positive.
 *
 * @param aspect Width by height of the plane; default that of the pixels.
 */
export function planeCoordinates({ width, height }: ImageSize, aspect: number = width / height): PlaneCoordinates {
  const diagonal = Math.hypot(aspect, 1);
  return { x: centres(width, aspect / diagonal), y: centres(height, 1 / diagonal) };
}

function centres(count: number, span: number): Float64Array {
  const last = span * (count - 1) / count;
  return Float64Array.from({ length: count }, (_, i) => (count > 1 ? -last + 2 * last * i / (count - 1) : 0));
}
