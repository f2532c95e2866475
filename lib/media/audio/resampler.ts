/**
 * Changes the sample rate of a stream.
 *
 * @module
 */

/** Zero crossings of the filter on each side, counted at the lower of both rates. */
const ZERO_CROSSINGS = 48;

/** Where the filter halves, as a part of the lower Nyquist frequency: down by 90 dB at 1, flat up to 0.88. */
const CUTOFF = 0.94;

/** Shape of the Kaiser window; 9 keeps side lobes 90 dB down. */
const KAISER = 9;

/** Phases of the filter that are kept; a ratio with more takes values between two of them, which costs 110 dB. */
const MAX_PHASES = 1024;

/** Lowest and highest rate that is taken; both are beyond what sound files have. */
export const SAMPLE_RATES = { min: 1_000, max: 768_000 } as const;

/**
 * A polyphase windowed-sinc resampler (Smith and Gossett 1984, "A flexible sampling-rate conversion method"). Sample k
 * of the output lies at the time k / `to`, so nothing is delayed; n samples become ceil(n * to / from). Before the
 * first and after the last sample there is silence.
 *
 * @example
 * ```ts
 * import { Resampler } from "./resampler.ts";
 * const resampler = new Resampler(48_000, 16_000);
 * const first = resampler.push(new Float32Array(4800));
 * const rest = resampler.flush();
 * console.assert(first.length + rest.length === 1600);
 * ```
 */
export class Resampler {
  /** Input samples of one step of the output: `#up / #down` of the output is one input sample. */
  readonly #up: number;
  readonly #down: number;
  /** Taps on each side of a point in time. */
  readonly #reach: number;
  readonly #phases: number;
  /** `phases + 1` rows of `2 * reach` taps: row p is for a point p / phases after an input sample. */
  readonly #taps: Float64Array;
  /** Input from the sample `#start` on, which may lie before the first; doubles, so that no product converts two. */
  #kept: Float64Array;
  #start: number;
  #received = 0;
  #produced = 0;

  /** @throws {RangeError} if a rate is not an integer between those of {@linkcode SAMPLE_RATES}. */
  /** A resampler between two rates, in samples per second. */
  constructor(from: number, to: number) {
    for (const rate of [from, to]) {
      if (Number.isSafeInteger(rate) && rate >= SAMPLE_RATES.min && rate <= SAMPLE_RATES.max) continue;
      throw new RangeError(
        `Cannot resample sound: a sample rate is ${rate} Hz, expected ${SAMPLE_RATES.min} to ${SAMPLE_RATES.max}`,
      );
    }
    const common = greatestCommonDivisor(from, to);
    this.#up = to / common;
    this.#down = from / common;
    const scale = Math.min(1, to / from);
    this.#reach = Math.ceil(ZERO_CROSSINGS / scale);
    this.#phases = Math.min(this.#up, MAX_PHASES);
    this.#taps = this.#up === this.#down ? new Float64Array() : filterTaps(this.#phases, this.#reach, CUTOFF * scale);
    this.#kept = new Float64Array(this.#reach);
    this.#start = -this.#reach;
  }

  /** Takes the next samples, and gives those of the output that are certain by now. */
  push(samples: Float32Array): Float32Array<ArrayBuffer> {
    if (this.#up === this.#down) return samples.slice();
    this.#received += samples.length;
    this.#append(samples);
    // The last tap of an output sample must have arrived.
    return this.#produce(Math.ceil((this.#received - this.#reach) * this.#up / this.#down));
  }

  /** Returns the rest of the output; the resampler is finished then. */
  flush(): Float32Array<ArrayBuffer> {
    if (this.#up === this.#down) return new Float32Array();
    this.#append(new Float32Array(this.#reach));
    return this.#produce(Math.ceil(this.#received * this.#up / this.#down));
  }

  #append(samples: Float32Array): void {
    const kept = new Float64Array(this.#kept.length + samples.length);
    kept.set(this.#kept);
    kept.set(samples, this.#kept.length);
    this.#kept = kept;
  }

  /** Output samples before the sample `end`. */
  #produce(end: number): Float32Array<ArrayBuffer> {
    const count = Math.max(end - this.#produced, 0);
    const output = new Float32Array(count);
    const exact = this.#phases === this.#up;
    const taps = this.#taps;
    const kept = this.#kept;
    const width = 2 * this.#reach;
    for (let i = 0; i < count; i++) {
      const place = (this.#produced + i) * this.#down;
      const whole = Math.floor(place / this.#up);
      const phase = (place - whole * this.#up) * (this.#phases / this.#up);
      const row = Math.floor(phase);
      const from = whole - this.#reach + 1 - this.#start;
      const near = filtered(taps, row * width, kept, from, width);
      if (exact) output[i] = near;
      else output[i] = near + (phase - row) * (filtered(taps, (row + 1) * width, kept, from, width) - near);
    }
    this.#produced += count;
    const next = Math.floor(this.#produced * this.#down / this.#up) - this.#reach + 1;
    const unused = Math.min(Math.max(next - this.#start, 0), this.#kept.length);
    this.#kept = this.#kept.slice(unused);
    this.#start += unused;
    return output;
  }
}

/** The sum of `width` products, an even number; in two halves, which a processor adds at the same time. */
function filtered(taps: Float64Array, tap: number, kept: Float64Array, from: number, width: number): number {
  let even = 0;
  let odd = 0;
  for (let j = 0; j < width; j += 2) {
    even += taps[tap + j] * kept[from + j];
    odd += taps[tap + j + 1] * kept[from + j + 1];
  }
  return even + odd;
}

/** Tap j of row p is for the input sample `j - reach + 1` away from the one before the point. */
function filterTaps(phases: number, reach: number, cutoff: number): Float64Array {
  const width = 2 * reach;
  const taps = new Float64Array((phases + 1) * width);
  const full = besselI0(KAISER);
  const row = new Float64Array(width);
  for (let p = 0; p <= phases; p++) {
    let sum = 0;
    for (let j = 0; j < width; j++) {
      const away = j - reach + 1 - p / phases;
      const inside = 1 - (away / reach) ** 2;
      const turn = Math.PI * cutoff * away;
      const sinc = turn === 0 ? 1 : Math.sin(turn) / turn;
      row[j] = inside < 0 ? 0 : sinc * besselI0(KAISER * Math.sqrt(inside)) / full;
      sum += row[j];
    }
    // Every phase passes a constant as it is.
    for (let j = 0; j < width; j++) taps[p * width + j] = row[j] / sum;
  }
  return taps;
}

/** The modified Bessel function of the first kind, order 0, by its series. */
function besselI0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
