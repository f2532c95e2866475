/**
 * Power spectra of frames of sound.
 *
 * @module
 */
import { FourierTransform } from "../../../media/audio/fourier_transform.ts";

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
   * Calls `onFrame` for frames of `samples`, each `hop` behind the one before it.
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
