/**
 * The sound of the vocal folds: one band-limited pulse a period.
 *
 * @module
 */
import { sine } from "./sine.ts";

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
