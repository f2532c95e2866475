/**
 * Rounding as Python does it.
 *
 * @module
 */

/** The nearest whole number; of two equally near ones the even one. */
export function roundHalfToEven(x: number): number {
  const floor = Math.floor(x);
  if (x - floor !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}
