/**
 * Turns the output of Hibari's network into sound.
 *
 * @module
 */
import type { Method } from "../../../platform/rpc/rpc_service.ts";
import { FourierTransform } from "../../../media/audio/fourier_transform.ts";
import { type FrameNoise, frameNoise, pulseTrain } from "./excitation.ts";

/** Samples a second. */
export const SAMPLE_RATE = 24_000;

/** Samples of a frame. */
export const HOP = 300;

/** Samples of a window. */
const WINDOW = 1200;

/** Frequencies of a spectrum. */
export const BINS: number = WINDOW / 2 + 1;

/** Output of the network: spectra are `[BINS, frames]`. */
export interface VoiceSpectra {
  /** Logarithm of the amplitude of the voice. */
  readonly lh: Float32Array;
  /** Its phase against the pulses: tanh of it in half turns. */
  readonly theta: Float32Array;
  /** Logarithm of the amplitude of the noise. */
  readonly ln: Float32Array;
  /** Logarithm of the amplitude of the residual. */
  readonly lr: Float32Array;
  /** Phase of the residual. */
  readonly phi: Float32Array;
  /** Fundamental frequency in Hz, one number a frame. */
  readonly f0: Float32Array;
}

/** Complex amplitudes, `[frames, BINS]`: of the voice against the pulses, of the noise, and what is added to both. */
export interface SpectralShapes {
  readonly voiceRe: Float32Array;
  readonly voiceIm: Float32Array;
  readonly breath: Float32Array;
  readonly restRe: Float32Array;
  readonly restIm: Float32Array;
  /** Fundamental frequency in Hz, one number a frame. */
  readonly f0: Float32Array;
}

/** What the thread of the sound does: the sound of amplitudes; see `waveform`. */
export type WaveformService = { readonly make: Method<readonly [SpectralShapes], Float32Array<ArrayBuffer>> };

/** Periodic Hann window. */
const hann = Float64Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos(2 * Math.PI * i / WINDOW));

/** The same so that a sine of amplitude 1 has the amplitude 1. */
const scaledHann = hann.map((weight) => weight / HOP);

/** The same for the inverse transform, which does not divide. */
const inverseHann = hann.map((weight) => weight / WINDOW);

/** Sums of the squared windows that overlap, by the place within a frame. */
const overlapped = Float64Array.from({ length: HOP }, (_, i) => {
  let sum = 0;
  for (let at = i; at < WINDOW; at += HOP) sum += hann[at] ** 2;
  return sum;
});

const hiss = frameNoise(BINS);

const fourier = new FourierTransform(WINDOW);

/**
 * Amplitudes to sound (Griffin and Lim 1984): S = V E + B Z + R, with the short-time spectrum E of the pulses and complex
 * noise Z, then the inverse short-time Fourier transform.
 *
 * @returns `HOP` samples a frame.
 */
export function waveform(shapes: SpectralShapes, noise: FrameNoise = hiss): Float32Array<ArrayBuffer> {
  const frames = shapes.f0.length;
  const pulses = pulseTrain(shapes.f0, HOP, SAMPLE_RATE);
  const sound = new Float64Array((frames + 1) * HOP + WINDOW);
  const re = new Float64Array(WINDOW), im = new Float64Array(WINDOW);
  const spectrumRe = new Float64Array(WINDOW), spectrumIm = new Float64Array(WINDOW);
  // Two frames share a transform: one is its real part, one its imaginary part.
  for (let frame = 0; frame < frames; frame += 2) {
    windowed(pulses, frame, re);
    windowed(pulses, frame + 1, im);
    fourier.transform(re, im, spectrumRe, spectrumIm);
    shape(shapes, frame, noise(frame), noise(frame + 1), spectrumRe, spectrumIm);
    // With both parts exchanged the transform is its own inverse.
    fourier.transform(spectrumIm, spectrumRe, im, re);
    overlap(sound, frame, re);
    overlap(sound, frame + 1, im);
  }
  return normalized(sound, frames);
}

/** The pulses under the window of a frame, mirrored at both ends. A sine of amplitude 1 has the amplitude 1. */
function windowed(pulses: Float32Array, frame: number, into: Float64Array): void {
  const start = frame * HOP - WINDOW / 2;
  if (start >= 0 && start + WINDOW <= pulses.length) {
    for (let i = 0; i < WINDOW; i++) into[i] = pulses[start + i] * scaledHann[i];
    return;
  }
  const period = 2 * (pulses.length - 1);
  for (let i = 0; i < WINDOW; i++) {
    let at = period === 0 ? 0 : (((start + i) % period) + period) % period;
    if (at >= pulses.length) at = period - at;
    into[i] = pulses[at] * scaledHann[i];
  }
}

/** Turns the spectra of the pulses of two frames, the second one times i, into those of their sound. */
function shape(
  { voiceRe, voiceIm, breath, restRe, restIm }: SpectralShapes,
  frame: number,
  noise: Float32Array,
  nextNoise: Float32Array,
  re: Float64Array,
  im: Float64Array,
): void {
  for (let bin = 0; bin < BINS; bin++) {
    const mirror = bin === 0 ? 0 : WINDOW - bin;
    // The spectra of two real signals out of that of the sum of one and i times the other.
    const pulseRe = (re[bin] + re[mirror]) / 2, pulseIm = (im[bin] - im[mirror]) / 2;
    const nextRe = (im[bin] + im[mirror]) / 2, nextIm = (re[mirror] - re[bin]) / 2;
    let at = frame * BINS + bin;
    const aRe = voiceRe[at] * pulseRe - voiceIm[at] * pulseIm + breath[at] * noise[2 * bin] + restRe[at];
    const aIm = voiceRe[at] * pulseIm + voiceIm[at] * pulseRe + breath[at] * noise[2 * bin + 1] + restIm[at];
    // Silence follows an odd last frame.
    at += BINS;
    const isThere = at < breath.length;
    const bRe = isThere
      ? voiceRe[at] * nextRe - voiceIm[at] * nextIm + breath[at] * nextNoise[2 * bin] + restRe[at]
      : 0;
    const bIm = isThere
      ? voiceRe[at] * nextIm + voiceIm[at] * nextRe + breath[at] * nextNoise[2 * bin + 1] + restIm[at]
      : 0;
    if (bin === 0 || bin === WINDOW / 2) {
      // The spectrum of a real signal: imaginary parts of its ends do not count.
      re[bin] = aRe;
      im[bin] = bRe;
    } else {
      re[bin] = aRe - bIm;
      im[bin] = aIm + bRe;
      re[mirror] = aRe + bIm;
      im[mirror] = bRe - aIm;
    }
  }
}

function overlap(sound: Float64Array, frame: number, samples: Float64Array): void {
  const start = frame * HOP;
  for (let i = 0; i < WINDOW; i++) sound[start + i] += samples[i] * inverseHann[i];
}

/** Divides by the sum of the squared windows, and cuts half a window off the beginning. */
function normalized(sound: Float64Array, frames: number): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(frames * HOP);
  for (let i = 0; i < samples.length; i++) {
    const at = i + WINDOW / 2;
    const inside = at >= WINDOW - HOP && at < frames * HOP;
    samples[i] = sound[at] / (inside ? overlapped[at % HOP] : partialOverlap(at, frames));
  }
  return samples;
}

/** Near the ends fewer windows overlap. */
function partialOverlap(at: number, frames: number): number {
  const first = Math.max(Math.ceil((at - WINDOW + 1) / HOP), 0);
  const last = Math.min(Math.floor(at / HOP), frames - 1);
  let sum = 0;
  for (let frame = first; frame <= last; frame++) sum += hann[at - frame * HOP] ** 2;
  return Math.max(sum, 1e-11);
}
