/**
 * The log-mel features of NVIDIA NeMo's recognisers, normalised per band.
 *
 * @module
 */
import { applyFilterbank, type MelFilterbank, melFilterbank, PowerFrames } from "../mel_frames.ts";

const SAMPLE_RATE = 16_000;
const POINTS = 512;
const WINDOW = 400;
const HOP = 160;
/** Each sample loses this part of the one before it. */
const PREEMPHASIS = 0.97;
/** Added to energies, so that silence has a logarithm. */
const LOG_GUARD = 2 ** -24;
/** Added to deviations, so that a constant band can be divided by its own. */
const DEVIATION_GUARD = 1e-5;

/** Features of some sound. */
export interface NemoFeatureFrames {
  /** [mels, frames]; frames after the valid ones are 0. */
  readonly data: Float32Array<ArrayBuffer>;
  readonly frames: number;
  /** Frames that lie wholly within the sound. */
  readonly valid: number;
}

/** Computes features of sound at 16 kHz. */
export class NemoFeatures {
  readonly mels: number;
  readonly filterbank: MelFilterbank;
  readonly #power: PowerFrames;

  constructor(mels: number) {
    this.mels = mels;
    this.filterbank = melFilterbank(mels, POINTS, SAMPLE_RATE);
    // The symmetric Hann window in the middle of the transform.
    const window = new Float64Array(POINTS);
    for (let i = 0; i < WINDOW; i++) {
      window[(POINTS - WINDOW) / 2 + i] = 0.5 - 0.5 * Math.cos(2 * Math.PI * i / (WINDOW - 1));
    }
    this.#power = new PowerFrames(window);
  }

  /** The features of a whole piece of sound. */
  compute(samples: Float32Array): NemoFeatureFrames {
    const valid = Math.floor(samples.length / HOP);
    const frames = valid + 1;
    const padded = new Float64Array(samples.length + POINTS);
    for (let i = 0; i < samples.length; i++) {
      padded[POINTS / 2 + i] = samples[i] - (i > 0 ? PREEMPHASIS * samples[i - 1] : 0);
    }
    const data = new Float32Array(this.mels * frames);
    this.#power.run(padded, HOP, valid, (frame, power) => {
      applyFilterbank(this.filterbank, power, data, frame, frames);
    });
    for (let mel = 0; mel < this.mels; mel++) normalise(data.subarray(mel * frames, mel * frames + valid));
    return { data, frames, valid };
  }
}

/** Logarithms with the mean 0 and the deviation 1. */
function normalise(band: Float32Array): void {
  let mean = 0;
  for (let i = 0; i < band.length; i++) mean += band[i] = Math.log(band[i] + LOG_GUARD);
  mean /= band.length;
  let squares = 0;
  for (const value of band) squares += (value - mean) ** 2;
  const deviation = Math.sqrt(squares / Math.max(band.length - 1, 1)) + DEVIATION_GUARD;
  for (let i = 0; i < band.length; i++) band[i] = (band[i] - mean) / deviation;
}
