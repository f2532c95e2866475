/**
 * The arithmetic of the four-step sampler (flow matching, Lipman et al. 2022; timestep shift, Esser et al. 2024,
 * section 5.3.2).
 *
 * A noisy latent is x = (1 - sigma) x0 + sigma noise, the network predicts v = noise - x0, timesteps are 1000 sigma.
 *
 * @module
 */
import { bfloatToFloat, floatToBfloat } from "../../tensor/half.ts";

/** Strength of the shift of the noise levels towards noise. */
const SHIFT = 5;

/** Places of the four denoising steps on the unshifted scale 1000 to 0. */
const STEPS = [1000, 750, 500, 250];

/** Timestep of the pass that writes the caches: nearly clean, but not 0. */
export const CONTEXT_TIMESTEP = 0.1;

/** A noise level and the timestep the network is told. */
export interface SamplerStep {
  readonly sigma: number;
  readonly timestep: number;
}

/** Shifted noise level of 1 - i/1000. */
function shiftedSigma(i: number): number {
  const linear = 1 - i / 1000;
  return (SHIFT * linear) / (1 + (SHIFT - 1) * linear);
}

/** The table of 1000 noise levels that training drew from, from pure noise down. */
export function noiseLevels(): SamplerStep[] {
  return Array.from({ length: 1000 }, (_, i) => ({ sigma: shiftedSigma(i), timestep: 1000 * shiftedSigma(i) }));
}

/** The four denoising steps: timesteps 1000, 937.5, 833.33 and 625. */
export const SAMPLER_STEPS: readonly SamplerStep[] = STEPS.map((step) => ({
  sigma: shiftedSigma(1000 - step),
  timestep: 1000 * shiftedSigma(1000 - step),
}));

/** x0 = x - sigma v */
export function predictClean(x: Float32Array, v: Float32Array, sigma: number): Float32Array {
  const s = Math.fround(sigma);
  return x.map((value, i) => value - s * v[i]);
}

/** x = (1 - sigma) x0 + sigma noise */
export function renoise(x0: Float32Array, noise: Float32Array, sigma: number): Float32Array {
  const s = Math.fround(sigma);
  return x0.map((value, i) => (1 - s) * value + s * noise[i]);
}

/**
 * What the released pipeline computes with when it runs in bfloat16: the rounded timestep, and the noise level of the
 * table nearest to it. Needed only to compare with its outputs; the sampler uses the exact steps.
 */
export function bfloatStep(timestep: number): SamplerStep {
  const rounded = bfloatToFloat(floatToBfloat(timestep));
  const nearest = noiseLevels().reduce((best, level) =>
    Math.abs(level.timestep - rounded) < Math.abs(best.timestep - rounded) ? level : best
  );
  return { sigma: nearest.sigma, timestep: rounded };
}
