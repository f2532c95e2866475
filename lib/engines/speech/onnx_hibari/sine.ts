/**
 * The sine from a table, for every sample of sound: several times as fast as that of the runtime, and the same numbers on
 * every runtime. Errors stay below 1e-7.
 *
 * @module
 */

/** Directions in a table of a whole turn, and the angles of which there are that many in 2π. */
const DIRECTIONS = 1024;
const PER_RADIAN = DIRECTIONS / (2 * Math.PI);
const cosines = Float64Array.from({ length: DIRECTIONS }, (_, i) => Math.cos(i / PER_RADIAN));
const sines = Float64Array.from({ length: DIRECTIONS }, (_, i) => Math.sin(i / PER_RADIAN));

/** Makes truncation rounding: larger than any place in a table, a multiple of their sizes. */
const OFFSET = 2 ** 22;

/** Sine of an angle between -20000 and 20000. */
export function sine(angle: number): number {
  const place = (angle * PER_RADIAN + OFFSET + 0.5) | 0;
  const rest = angle - (place - OFFSET) / PER_RADIAN;
  const at = place & (DIRECTIONS - 1);
  return sines[at] * (1 - rest * rest / 2) + cosines[at] * rest;
}
