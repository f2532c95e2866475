/**
 * The arithmetic of the four-step sampler (flow matching, Lipman et al. 2022; timestep shift, Esser et al. 2024,
 * section 5.3.2).
 *
 * A noisy latent is x = (1 - sigma) x0 + sigma noise, the network predicts v = noise - x0, timesteps are 1000 sigma.
 *
 * @module
 */
import { add, mul, sub, type Value } from "../../../compute/tensor/mod.ts";

/** Strength of the shift of the noise levels towards noise. */
export const SAMPLER_SHIFT = 5;

/** Places of the four denoising steps on the unshifted scale 1000 to 0. */
const STEPS = [1000, 750, 500, 250];

/** Timestep of the pass that writes the caches: nearly clean, but not 0. */
export const CONTEXT_TIMESTEP = 0.1;

/** A noise level and the timestep given to the network. */
export interface SamplerStep {
  readonly sigma: number;
  readonly timestep: number;
}

/** Level `i` of the 1000 that training drew from: pure noise is 0, the levels fall from there. */
export function noiseLevel(i: number): SamplerStep {
  const linear = 1 - i / 1000;
  const sigma = (SAMPLER_SHIFT * linear) / (1 + (SAMPLER_SHIFT - 1) * linear);
  return { sigma, timestep: 1000 * sigma };
}

/** The four denoising steps: timesteps 1000, 937.5, 833.33 and 625. */
export const SAMPLER_STEPS: readonly SamplerStep[] = STEPS.map((step) => noiseLevel(1000 - step));

/** x0 = x - sigma v; sigma broadcasts. */
export function predictClean(x: Value, velocity: Value, sigma: Value): Value {
  return sub(x, mul(sigma, velocity));
}

/** x = (1 - sigma) x0 + sigma noise; sigma broadcasts. */
export function renoise(clean: Value, noise: Value, sigma: Value): Value {
  return add(mul(sub(1, sigma), clean), mul(sigma, noise));
}
