/**
 * The schedule of noise levels: rectified flow (Liu et al. 2022; Esser et al. 2024, section 5.3.2) with a shift that
 * depends on the size of the image and the number of steps.
 *
 * @module
 */

/** Tokens above which the number of steps does not count. */
const LARGE_IMAGE = 4300;

/**
 * The shift of the schedule, fitted by the model's makers as straight lines of the number of tokens for 10 and for 200
 * steps, interpolated between them.
 *
 * @param tokens Tokens of the output image, references and text not counted.
 * @param steps Denoising steps.
 */
export function scheduleShift(tokens: number, steps: number): number {
  const at200 = 1.6927e-4 * tokens + 0.45666666;
  if (tokens > LARGE_IMAGE) return at200;
  const at10 = 8.73809524e-5 * tokens + 1.89833333;
  const slope = (at200 - at10) / 190;
  return at200 - 200 * slope + slope * steps;
}

/**
 * Noise levels from 1 to 0, one more than steps: e^mu / (e^mu + 1 / s - 1) for s in equal steps from 1 to 1 / steps,
 * then 0. Rounded to 32 bits, as all that is computed with them.
 */
export function noiseLevels(tokens: number, steps: number): Float32Array {
  const shift = Math.exp(scheduleShift(tokens, steps));
  const levels = new Float32Array(steps + 1);
  for (let i = 0; i < steps; i++) {
    const s = steps === 1 ? 1 : 1 - i * (1 - 1 / steps) / (steps - 1);
    levels[i] = shift / (shift + 1 / s - 1);
  }
  return levels;
}

/**
 * Where an image start begins: the first level that is at most `strength`. After the last step (index `steps`, level
 * 0) nothing of the image is changed.
 */
export function firstLevel(levels: Float32Array, strength: number): number {
  return levels.findIndex((level) => level <= Math.fround(strength));
}

/** An Euler step: x + (next - level) * velocity, in place. */
export function eulerStep(x: Float32Array, velocity: Float32Array, level: number, next: number): void {
  const step = Math.fround(next - level);
  for (let i = 0; i < x.length; i++) x[i] += step * velocity[i];
}

/** The image that a prediction points to: x - level * velocity. */
export function predictedImage(x: Float32Array, velocity: Float32Array, level: number): Float32Array {
  return x.map((value, i) => value - level * velocity[i]);
}

/** (1 - level) * image + level * noise. */
export function noisedImage(image: Float32Array, noise: Float32Array, level: number): Float32Array {
  return image.map((value, i) => (1 - level) * value + level * noise[i]);
}

/** Guidance (Ho and Salimans 2022): unconditional + scale * (conditional - unconditional), into `conditional`. */
export function guideVelocity(conditional: Float32Array, unconditional: Float32Array, scale: number): void {
  for (let i = 0; i < conditional.length; i++) {
    conditional[i] = unconditional[i] + scale * (conditional[i] - unconditional[i]);
  }
}
