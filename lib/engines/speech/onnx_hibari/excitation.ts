/**
 * What excites the spectra of Hibari: one band-limited pulse of the vocal folds a period, and noise. Its sine is from a
 * table: several times as fast as that of the runtime, and the same numbers on every runtime.
 *
 * @module
 */
import { philoxInto } from "../../../models/noise/philox.ts";

/** Frequencies below this many Hz are unvoiced. */
const VOICED = 40;

/** No harmonic lies above this frequency in Hz. */
const HIGHEST = 11_000;

/** Where the quotient of sines has its limit. */
const NEAR_PULSE = 2e-3;

/**
 * All harmonics of a fundamental frequency below 11 kHz with the amplitude 1: with H of them,
 * Σ cos(h t) = sin((H + ½) t) / (2 sin(t / 2)) - ½. Silence where there is no voice.
 *
 * @param f0 In Hz, one number a frame; between the middles of frames it changes linearly.
 * @param hop Samples of a frame.
 * @param sampleRate Samples a second.
 */
export function pulseTrain(f0: Float32Array, hop: number, sampleRate: number): Float32Array {
  const pulses = new Float32Array(f0.length * hop);
  const last = f0.length - 1;
  let turns = 0;
  for (let i = 0; i < pulses.length; i++) {
    const place = (i + 0.5) / hop - 0.5;
    const left = Math.floor(place);
    const part = place - left;
    const frequency = f0[Math.max(left, 0)] * (1 - part) + f0[Math.min(left + 1, last)] * part;
    turns += Math.max(frequency, VOICED) / sampleRate;
    turns -= Math.floor(turns);
    if (!(frequency > VOICED)) continue;
    const angle = 2 * Math.PI * turns;
    const harmonics = Math.floor(HIGHEST / frequency) + 0.5;
    const below = 2 * sine(angle / 2);
    pulses[i] = (Math.abs(below) <= NEAR_PULSE ? harmonics : sine(harmonics * angle) / below) - 0.5;
  }
  return pulses;
}

/** Directions in a table of a whole turn, and the angles of which there are that many in 2π. */
const DIRECTIONS = 1024;
const PER_RADIAN = DIRECTIONS / (2 * Math.PI);
const cosines = Float64Array.from({ length: DIRECTIONS }, (_, i) => Math.cos(i / PER_RADIAN));
const sines = Float64Array.from({ length: DIRECTIONS }, (_, i) => Math.sin(i / PER_RADIAN));

/** Makes truncation rounding: larger than any place in a table, a multiple of their sizes. */
const OFFSET = 2 ** 22;

/** Sine of an angle between -20000 and 20000. */
export function sine(angle: number): number {
  const place = (angle * PER_RADIAN + OFFSET + 0.5) | 0;
  const rest = angle - (place - OFFSET) / PER_RADIAN;
  const at = place & (DIRECTIONS - 1);
  return sines[at] * (1 - rest * rest / 2) + cosines[at] * rest;
}

/** Noise of a frame: complex numbers whose parts are normal, real and imaginary one after the other. */
export type FrameNoise = (frame: number) => Float32Array;

/** Frames after which the noise repeats: 6.4 s, inaudible. */
const PERIOD = 512;

const RADII = 1 << 16;
const ANGLES = 1 << 12;

/**
 * Noise that every sentence begins with, so that the same words sound the same: each word of Philox4x32-10 with the key
 * 0 and the counter (number / 4, frame, 0, 0) gives one complex number, its upper 16 bits the radius of the Box-Muller
 * transform and the next 12 the direction. What has been made is kept.
 *
 * @param count Complex numbers of a frame.
 */
export function frameNoise(count: number): FrameNoise {
  const radii = Float32Array.from({ length: RADII }, (_, i) => Math.sqrt(-2 * Math.log((i + 0.5) / RADII)));
  const made: Float32Array[] = [];
  const words = new Uint32Array(4);
  return (frame) => {
    const place = frame % PERIOD;
    return made[place] ??= Float32Array.from({ length: 2 * count }, (_, i) => {
      if (i % 8 === 0) philoxInto(words, i >>> 3, place, 0, 0, 0, 0);
      const word = words[(i >>> 1) & 3];
      const angle = 2 * Math.PI * ((word >>> 4) & (ANGLES - 1)) / ANGLES;
      return radii[word >>> 16] * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
    });
  };
}
