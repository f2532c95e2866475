/**
 * Complex noise for spectra.
 *
 * @module
 */
import { philoxInto } from "../../../models/noise/philox.ts";

/** Noise of a frame: complex numbers whose parts are normal, real and imaginary one after the other. */
export type FrameNoise = (frame: number) => Float32Array;

/** Frames after which the noise repeats: 6.4 s, inaudible. */
const PERIOD = 512;

const RADII = 1 << 16;
const DIRECTIONS = 1 << 12;

/**
 * Noise that every sentence begins with, so that the same words sound the same: each word of Philox4x32-10 with the key
 * 0 and the counter (number / 4, frame, 0, 0) gives one complex number, its upper 16 bits the radius of the Box-Muller
 * transform and the next 12 the direction. What has been made is kept.
 *
 * @param count Complex numbers of a frame.
 */
export function frameNoise(count: number): FrameNoise {
  const radii = Float32Array.from({ length: RADII }, (_, i) => Math.sqrt(-2 * Math.log((i + 0.5) / RADII)));
  const made: Float32Array[] = [];
  const words = new Uint32Array(4);
  return (frame) => {
    const place = frame % PERIOD;
    return made[place] ??= Float32Array.from({ length: 2 * count }, (_, i) => {
      if (i % 8 === 0) philoxInto(words, i >>> 3, place, 0, 0, 0, 0);
      const word = words[(i >>> 1) & 3];
      const angle = 2 * Math.PI * ((word >>> 4) & (DIRECTIONS - 1)) / DIRECTIONS;
      return radii[word >>> 16] * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
    });
  };
}
