/**
 * Separable resampling without rounding to bytes, as tensor libraries do it.
 *
 * @module
 */
import type { Tap } from "./taps.ts";

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Chooses the neighbours of every place of an axis of `target` places, made from one of `size`. */
export type ChooseTaps = (size: number, target: number) => readonly Tap[];

/**
 * Planes [channels,height,width] stretched to [channels,toHeight,toWidth], columns first; the same array where nothing
 * changes. An axis that keeps its size is left alone.
 */
export function resamplePlanes(planes: Float32Array, from: ImageSize, to: ImageSize, choose: ChooseTaps): Float32Array {
  const rows = planes.length / from.width;
  const wide = from.width === to.width
    ? planes
    : resampleAxis(planes, rows, from.width, 1, choose(from.width, to.width));
  if (from.height === to.height) return wide;
  return resampleAxis(wide, rows / from.height, from.height, to.width, choose(from.height, to.height));
}

/** Resamples the middle axis of [outer,size,inner] to one place a tap. */
export function resampleAxis(
  x: Float32Array,
  outer: number,
  size: number,
  inner: number,
  taps: readonly Tap[],
): Float32Array {
  const out = new Float32Array(outer * taps.length * inner);
  for (let o = 0; o < outer; o++) {
    taps.forEach(({ first, weights }, i) => {
      const to = (o * taps.length + i) * inner;
      weights.forEach((weight, k) => {
        const at = (o * size + first + k) * inner;
        for (let j = 0; j < inner; j++) out[to + j] += weight * x[at + j];
      });
    });
  }
  return out;
}
