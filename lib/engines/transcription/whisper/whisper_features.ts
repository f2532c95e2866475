/**
 * The log-mel spectrogram of Whisper ("Robust Speech Recognition via Large-Scale Weak Supervision", Radford et al. 2022).
 *
 * @module
 */
import { applyFilterbank, type MelFilterbank, melFilterbank, PowerFrames } from "../mel_frames.ts";

/** Sizes of a spectrogram. */
export interface WhisperFeatureSizes {
  readonly mels: number;
  /** Samples of the window, a multiple of `hop`. */
  readonly windowSamples: number;
  readonly sampleRate: number;
  /** Points of the Fourier transform. */
  readonly points: number;
  /** Samples from one frame to the next. */
  readonly hop: number;
}

/** The smallest power that differs from silence. */
const FLOOR = 1e-10;

/** Computes spectrograms of windows. */
export class WhisperFeatures {
  readonly sizes: WhisperFeatureSizes;
  /** Frames of a window. */
  readonly frames: number;
  readonly filterbank: MelFilterbank;
  readonly #power: PowerFrames;

  constructor(sizes: WhisperFeatureSizes) {
    const { mels, points, hop, sampleRate, windowSamples } = sizes;
    this.sizes = sizes;
    this.frames = windowSamples / hop;
    this.filterbank = melFilterbank(mels, points, sampleRate);
    // The periodic Hann window.
    this.#power = new PowerFrames(
      Float64Array.from({ length: points }, (_, i) => 0.5 - 0.5 * Math.cos(2 * Math.PI * i / points)),
    );
  }

  /**
   * The spectrogram of a window: [mels, frames]. Sound after the window is left out; shorter sound is padded with
   * silence.
   */
  compute(samples: Float32Array): Float32Array<ArrayBuffer> {
    const { points, hop, windowSamples, mels } = this.sizes;
    const reach = points / 2;
    const padded = new Float64Array(windowSamples + points);
    padded.set(samples.length > windowSamples ? samples.subarray(0, windowSamples) : samples, reach);
    for (let i = 1; i <= reach; i++) {
      padded[reach - i] = padded[reach + i];
      padded[reach + windowSamples - 1 + i] = padded[reach + windowSamples - 1 - i];
    }
    const features = new Float32Array(mels * this.frames);
    // Frames that reach no sound have no power.
    const sounding = samples.length + points >= windowSamples
      ? this.frames
      : Math.min(this.frames, Math.ceil((samples.length + reach) / hop));
    this.#power.run(padded, hop, sounding, (frame, power) => {
      applyFilterbank(this.filterbank, power, features, frame, this.frames);
    });
    let loudest = -Infinity;
    for (let i = 0; i < features.length; i++) {
      features[i] = Math.log10(Math.max(features[i], FLOOR));
      if (features[i] > loudest) loudest = features[i];
    }
    for (let i = 0; i < features.length; i++) features[i] = (Math.max(features[i], loudest - 8) + 4) / 4;
    return features;
  }
}
