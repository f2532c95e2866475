/**
 * Turns the output of Hibari's network into sound.
 *
 * @module
 */
import { FourierTransform } from "../../../media/audio/fourier_transform.ts";
import { type FrameNoise, frameNoise } from "./frame_noise.ts";
import { pulseTrain } from "./pulse_train.ts";
import { cosine, exponential, hyperbolicTangent, sine } from "./table_functions.ts";

/** Samples a second. */
export const SAMPLE_RATE = 24_000;

/** Samples of a frame. */
export const HOP = 300;

/** Samples of a window. */
const WINDOW = 1200;

/** Frequencies of a spectrum. */
export const BINS: number = WINDOW / 2 + 1;

/** Upper bound of logarithms of amplitudes. */
const LOUDEST = 7;

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

/** Periodic Hann window. */
const hann = Float64Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos(2 * Math.PI * i / WINDOW));

/** Sums of the squared windows that overlap, by the place within a frame. */
const overlapped = Float64Array.from({ length: HOP }, (_, i) => {
  let sum = 0;
  for (let at = i; at < WINDOW; at += HOP) sum += hann[at] ** 2;
  return sum;
});

const hiss = frameNoise(BINS);

/** Frames whose spectra are made together: as many numbers as a line of the processor's cache holds. */
const TILE = 16;

/**
 * Spectra to sound (Griffin and Lim 1984): S = exp(lh) exp(iπ tanh θ) E + exp(ln) Z + exp(lr) exp(iφ), with the
 * short-time spectrum E of the pulses and complex noise Z, then the inverse short-time Fourier transform.
 *
 * @returns `HOP` samples a frame.
 */
export function waveform(spectra: VoiceSpectra, noise: FrameNoise = hiss): Float32Array<ArrayBuffer> {
  const frames = spectra.f0.length;
  const pulses = pulseTrain(spectra.f0, HOP, SAMPLE_RATE);
  const sound = new Float64Array((frames + 1) * HOP + WINDOW);
  const fourier = new FourierTransform(WINDOW);
  // Two frames share a transform: one is its real part, one its imaginary part.
  const pairs = Array.from({ length: TILE / 2 }, () => new FramePair());
  const re = new Float64Array(WINDOW);
  const im = new Float64Array(WINDOW);
  for (let start = 0; start < frames; start += TILE) {
    const count = Math.ceil(Math.min(TILE, frames - start) / 2);
    for (let i = 0; i < count; i++) {
      windowed(pulses, start + 2 * i, re);
      windowed(pulses, start + 2 * i + 1, im);
      fourier.transform(re, im, pairs[i].re, pairs[i].im);
      pairs[i].noise = [noise(start + 2 * i), noise(start + 2 * i + 1)];
    }
    for (let bin = 0; bin < BINS; bin++) {
      for (let i = 0; i < count; i++) shape(spectra, bin, start + 2 * i, pairs[i]);
    }
    for (let i = 0; i < count; i++) {
      // With both parts exchanged the transform is its own inverse.
      fourier.transform(pairs[i].im, pairs[i].re, im, re);
      overlap(sound, start + 2 * i, re);
      overlap(sound, start + 2 * i + 1, im);
    }
  }
  return normalized(sound, frames);
}

/** Spectra of two frames, first of their pulses and then of their sound. */
class FramePair {
  readonly re = new Float64Array(WINDOW);
  readonly im = new Float64Array(WINDOW);
  noise: readonly [Float32Array, Float32Array] = [new Float32Array(), new Float32Array()];
}

/** The pulses under the window of a frame, mirrored at both ends. A sine of amplitude 1 has the amplitude 1. */
function windowed(pulses: Float32Array, frame: number, into: Float64Array): void {
  const start = frame * HOP - WINDOW / 2;
  const period = 2 * (pulses.length - 1);
  for (let i = 0; i < WINDOW; i++) {
    let at = start + i;
    if (at < 0 || at >= pulses.length) {
      at = period === 0 ? 0 : ((at % period) + period) % period;
      if (at >= pulses.length) at = period - at;
    }
    into[i] = pulses[at] * hann[i] / HOP;
  }
}

/** Turns one frequency of the pulses of two frames into that of their sound. */
function shape({ lh, theta, ln, lr, phi, f0 }: VoiceSpectra, bin: number, frame: number, pair: FramePair): void {
  const { re, im, noise: [noise, nextNoise] } = pair;
  const mirror = bin === 0 ? 0 : WINDOW - bin;
  // The spectra of two real signals out of that of the sum of one and i times the other.
  const pulseRe = (re[bin] + re[mirror]) / 2, pulseIm = (im[bin] - im[mirror]) / 2;
  const nextRe = (im[bin] + im[mirror]) / 2, nextIm = (re[mirror] - re[bin]) / 2;
  let at = bin * f0.length + frame;
  let angle = Math.PI * hyperbolicTangent(theta[at]);
  let cos = cosine(angle), sin = sine(angle);
  let voice = exponential(Math.min(lh[at], LOUDEST));
  let breath = exponential(Math.min(ln[at], LOUDEST));
  let rest = exponential(Math.min(lr[at], LOUDEST));
  const aRe = voice * (cos * pulseRe - sin * pulseIm) + breath * noise[2 * bin] + rest * cosine(phi[at]);
  const aIm = voice * (cos * pulseIm + sin * pulseRe) + breath * noise[2 * bin + 1] + rest * sine(phi[at]);
  // Silence follows an odd last frame.
  let bRe = 0, bIm = 0;
  if (frame + 1 < f0.length) {
    at++;
    angle = Math.PI * hyperbolicTangent(theta[at]);
    cos = cosine(angle);
    sin = sine(angle);
    voice = exponential(Math.min(lh[at], LOUDEST));
    breath = exponential(Math.min(ln[at], LOUDEST));
    rest = exponential(Math.min(lr[at], LOUDEST));
    bRe = voice * (cos * nextRe - sin * nextIm) + breath * nextNoise[2 * bin] + rest * cosine(phi[at]);
    bIm = voice * (cos * nextIm + sin * nextRe) + breath * nextNoise[2 * bin + 1] + rest * sine(phi[at]);
  }
  // The spectrum of a real signal: imaginary parts of its ends do not count.
  if (bin === 0 || bin === WINDOW / 2) {
    re[bin] = aRe;
    im[bin] = bRe;
    return;
  }
  re[bin] = aRe - bIm;
  im[bin] = aIm + bRe;
  re[mirror] = aRe + bIm;
  im[mirror] = bRe - aIm;
}

function overlap(sound: Float64Array, frame: number, samples: Float64Array): void {
  const start = frame * HOP;
  for (let i = 0; i < WINDOW; i++) sound[start + i] += samples[i] * hann[i] / WINDOW;
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
