/**
 * The schedule of noise levels: rectified flow with a constant shift.
 *
 * @module
 */

/**
 * Noise levels from 1 to 0, one more than steps: shift * s / (1 + (shift - 1) * s) for s in equal steps from 1 to
 * 1 / steps, then 0 (Esser et al. 2024, section 5.3.2).
 */
export function shiftedLevels(steps: number, shift: number): Float32Array {
  const levels = new Float32Array(steps + 1);
  for (let i = 0; i < steps; i++) {
    const s = steps === 1 ? 1 : 1 - i * (1 - 1 / steps) / (steps - 1);
    levels[i] = shift * s / (1 + (shift - 1) * s);
  }
  return levels;
}
