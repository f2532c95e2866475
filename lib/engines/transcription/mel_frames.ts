/**
 * Power spectra of frames, and their mel bands in Slaney's form: linear below 1000 Hz, logarithmic above, every band with
 * the same area (Slaney 1998, "Auditory Toolbox").
 *
 * @module
 */
import { FourierTransform } from "../../media/audio/fourier_transform.ts";

/** Computes the power spectra of frames, two real ones by one complex transform. */
export class PowerFrames {
  readonly #transform: FourierTransform;
  readonly #window: Float64Array;
  readonly #re: Float64Array;
  readonly #im: Float64Array;
  readonly #outRe: Float64Array;
  readonly #outIm: Float64Array;
  readonly #first: Float64Array;
  readonly #second: Float64Array;

  /** @param window What the samples of a frame are multiplied with; its length is that of the transform. */
  constructor(window: Float64Array) {
    const points = window.length;
    this.#transform = new FourierTransform(points);
    this.#window = window;
    [this.#re, this.#im, this.#outRe, this.#outIm] = Array.from({ length: 4 }, () => new Float64Array(points));
    [this.#first, this.#second] = Array.from({ length: 2 }, () => new Float64Array(points / 2 + 1));
  }

  /**
   * Calls `onFrame` for frames of `samples`, each `hop` after the one before it.
   *
   * @param onFrame Gets the number of the frame and its power spectrum, which the next call reuses.
   */
  run(samples: Float64Array, hop: number, frames: number, onFrame: (frame: number, power: Float64Array) => void): void {
    const window = this.#window;
    const points = window.length;
    for (let frame = 0; frame < frames; frame += 2) {
      const at = frame * hop;
      const paired = frame + 1 < frames;
      for (let i = 0; i < points; i++) {
        this.#re[i] = samples[at + i] * window[i];
        this.#im[i] = paired ? samples[at + hop + i] * window[i] : 0;
      }
      this.#transform.transform(this.#re, this.#im, this.#outRe, this.#outIm);
      for (let k = 0; k <= points / 2; k++) {
        const [a, b] = [this.#outRe[k], this.#outIm[k]];
        const mirror = (points - k) % points;
        const [c, d] = [this.#outRe[mirror], this.#outIm[mirror]];
        this.#first[k] = ((a + c) ** 2 + (b - d) ** 2) / 4;
        this.#second[k] = ((a - c) ** 2 + (b + d) ** 2) / 4;
      }
      onFrame(frame, this.#first);
      if (paired) onFrame(frame + 1, this.#second);
    }
  }
}

/** Triangles over the bins of a power spectrum. */
export interface MelFilterbank {
  readonly bands: number;
  /** First bin of each band. */
  readonly starts: Int32Array;
  /** Weights of the bins of each band, from its first one on. */
  readonly weights: readonly Float64Array[];
}

const HZ_PER_MEL = 200 / 3;
/** Where the scale becomes logarithmic. */
const BREAK_HZ = 1000;
const BREAK_MEL = BREAK_HZ / HZ_PER_MEL;
const LOG_STEP = Math.log(6.4) / 27;

function hzToMel(hz: number): number {
  return hz < BREAK_HZ ? hz / HZ_PER_MEL : BREAK_MEL + Math.log(hz / BREAK_HZ) / LOG_STEP;
}

function melToHz(mel: number): number {
  return mel < BREAK_MEL ? mel * HZ_PER_MEL : BREAK_HZ * Math.exp((mel - BREAK_MEL) * LOG_STEP);
}

/**
 * Makes the bands from 0 Hz to half the sample rate.
 *
 * @param points Points of the Fourier transform, of which the first half and one more are bins.
 */
export function melFilterbank(bands: number, points: number, sampleRate: number): MelFilterbank {
  const top = hzToMel(sampleRate / 2);
  const edges = Array.from({ length: bands + 2 }, (_, i) => melToHz(top * i / (bands + 1)));
  const bins = points / 2 + 1;
  const starts = new Int32Array(bands);
  const weights = Array.from({ length: bands }, (_, band) => {
    const [low, middle, high] = edges.slice(band, band + 3);
    const found: number[] = [];
    for (let bin = 0; bin < bins; bin++) {
      const hz = bin * sampleRate / points;
      const height = Math.min((hz - low) / (middle - low), (high - hz) / (high - middle));
      if (height <= 0) continue;
      if (found.length === 0) starts[band] = bin;
      found.push(height * 2 / (high - low));
    }
    return Float64Array.from(found);
  });
  return { bands, starts, weights };
}

/** Energy of each band of a power spectrum, written to `out` from `at` on, `stride` apart. */
export function applyFilterbank(
  { bands, starts, weights }: MelFilterbank,
  power: Float64Array,
  out: Float32Array,
  at: number,
  stride: number,
): void {
  for (let band = 0; band < bands; band++) {
    const row = weights[band];
    let sum = 0;
    for (let i = 0, bin = starts[band]; i < row.length; i++) sum += row[i] * power[bin + i];
    out[at + band * stride] = sum;
  }
}
