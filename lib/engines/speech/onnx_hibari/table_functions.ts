/**
 * The exponential function and the trigonometric functions from tables, for the half million values of a second of
 * sound: several times as fast as those of the runtime, and the same numbers on every runtime. Errors stay below 1e-7.
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

/** Cosine of an angle between -20000 and 20000. */
export function cosine(angle: number): number {
  const place = (angle * PER_RADIAN + OFFSET + 0.5) | 0;
  const rest = angle - (place - OFFSET) / PER_RADIAN;
  const at = place & (DIRECTIONS - 1);
  return cosines[at] * (1 - rest * rest / 2) - sines[at] * rest;
}

/** Sine of an angle between -20000 and 20000. */
export function sine(angle: number): number {
  const place = (angle * PER_RADIAN + OFFSET + 0.5) | 0;
  const rest = angle - (place - OFFSET) / PER_RADIAN;
  const at = place & (DIRECTIONS - 1);
  return sines[at] * (1 - rest * rest / 2) + cosines[at] * rest;
}

const STEPS = 64;
const LOWEST = -64;
const roots = Float64Array.from({ length: STEPS }, (_, i) => 2 ** (i / STEPS));
const powers = Float64Array.from({ length: 128 }, (_, i) => 2 ** (i + LOWEST));

/** The exponential function; below -44 and above 44 it changes no more. */
export function exponential(x: number): number {
  const bounded = x > 44 ? 44 : x > -44 ? x : -44;
  const place = (bounded * (STEPS / Math.LN2) + OFFSET + 0.5) | 0;
  const rest = bounded - (place - OFFSET) * (Math.LN2 / STEPS);
  const near = 1 + rest * (1 + rest * (1 / 2 + rest * (1 / 6)));
  return powers[((place - OFFSET) >> 6) - LOWEST] * roots[place & (STEPS - 1)] * near;
}

/** The hyperbolic tangent. */
export function hyperbolicTangent(x: number): number {
  const square = exponential(2 * x);
  return (square - 1) / (square + 1);
}
