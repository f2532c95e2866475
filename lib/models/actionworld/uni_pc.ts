/**
 * UniPC, a predictor-corrector solver for diffusion models (Zhao et al. 2023): order 2, with B(h) = e^h - 1, predicting
 * clean samples, over the noise levels of flow matching (Lipman et al. 2022; shift: Esser et al. 2024, section 5.3.2).
 *
 * A noisy sample is x = (1 - sigma) x0 + sigma noise, the network predicts v = noise - x0, and lambda = ln(1 - sigma) -
 * ln sigma is half the logarithm of the signal to noise ratio.
 *
 * @module
 */

/** Noise level of the first step on the unshifted scale. */
const HIGHEST = 0.999;

/** The noise levels of a sampling run. */
export interface FlowSchedule {
  /** The timestep at every step: 1000 sigma, truncated. */
  readonly timesteps: readonly number[];
  /** Noise level before every step, and 0 after the last one. */
  readonly sigmas: readonly number[];
}

/**
 * `steps` levels that fall evenly from {@linkcode HIGHEST}, shifted towards noise.
 *
 * @throws {RangeError} unless steps is an integer of at least 1 and shift is positive.
 */
export function flowSchedule(steps: number, shift: number): FlowSchedule {
  if (!Number.isInteger(steps) || steps < 1) {
    throw new RangeError(`Cannot plan ${steps} sampling steps: expected a whole number of at least 1`);
  }
  if (!(shift > 0 && Number.isFinite(shift))) {
    throw new RangeError(`Cannot shift noise levels by ${shift}: expected a positive number`);
  }
  const sigmas = Array.from({ length: steps }, (_, i) => {
    const level = HIGHEST * (1 - i / steps);
    return shift * level / (1 + (shift - 1) * level);
  });
  return { timesteps: sigmas.map((sigma) => Math.trunc(1000 * sigma)), sigmas: [...sigmas, 0] };
}

/** One sampling run of the solver. */
export class UniPcSolver {
  readonly #sigmas: readonly number[];
  /** Predicted clean samples of the last steps, newest first. */
  #clean: Float32Array[] = [];
  #step = 0;
  /** The corrected sample that the last prediction started from. */
  #before: Float32Array;
  #sample: Float32Array;

  /** Starts from noise, which is not modified. */
  constructor(schedule: FlowSchedule, noise: Float32Array) {
    this.#sigmas = schedule.sigmas;
    this.#before = noise;
    this.#sample = noise;
  }

  /** The network's next input; after the last step the clean sample. */
  get sample(): Float32Array {
    return this.#sample;
  }

  /** Takes the network's velocity at the sample and advances to the next noise level. */
  advance(velocity: Float32Array): void {
    const i = this.#step;
    const sigma = this.#sigmas[i];
    const clean = this.#sample.map((x, k) => x - sigma * velocity[k]);
    if (i > 0) this.#sample = this.#correct(i, clean);
    this.#clean = [clean, ...this.#clean.slice(0, 1)];
    this.#before = this.#sample;
    this.#sample = this.#predict(i);
    this.#step++;
  }

  /** Order of step i: 1 without history, and for the last step. */
  #order(i: number): number {
    return Math.min(2, i + 1, this.#sigmas.length - 1 - i);
  }

  /** The corrected sample at level i, using the clean sample predicted there. */
  #correct(i: number, clean: Float32Array): Float32Array {
    const [last, older] = this.#clean;
    const { from, to, h, phi } = this.#interval(i - 1, i);
    const scale = to / from;
    const weight = (1 - to) * phi;
    if (this.#order(i - 1) === 1) {
      return this.#before.map((x, k) => scale * x - weight * (last[k] + 0.5 * (clean[k] - last[k])));
    }
    const ratio = (this.#lambda(i - 2) - this.#lambda(i - 1)) / h;
    const first = phi / -h - 1;
    const second = first / -h - 0.5;
    const [b0, b1] = [first / phi, 2 * second / phi];
    const rho1 = (b1 - b0) / (ratio - 1);
    const rho2 = b0 - rho1;
    return this.#before.map((x, k) => {
      const change = rho1 * (older[k] - last[k]) / ratio + rho2 * (clean[k] - last[k]);
      return scale * x - weight * (last[k] + change);
    });
  }

  /** The sample at level i + 1. */
  #predict(i: number): Float32Array {
    const [clean, last] = this.#clean;
    if (this.#sigmas[i + 1] === 0) return clean.slice();
    const { from, to, h, phi } = this.#interval(i, i + 1);
    const scale = to / from;
    const weight = (1 - to) * phi;
    if (this.#order(i) === 1) return this.#sample.map((x, k) => scale * x - weight * clean[k]);
    const ratio = (this.#lambda(i - 1) - this.#lambda(i)) / h;
    return this.#sample.map((x, k) => scale * x - weight * (clean[k] + 0.5 * (last[k] - clean[k]) / ratio));
  }

  #interval(i: number, j: number): { from: number; to: number; h: number; phi: number } {
    const h = this.#lambda(j) - this.#lambda(i);
    return { from: this.#sigmas[i], to: this.#sigmas[j], h, phi: Math.expm1(-h) };
  }

  #lambda(i: number): number {
    return Math.log((1 - this.#sigmas[i]) / this.#sigmas[i]);
  }
}
