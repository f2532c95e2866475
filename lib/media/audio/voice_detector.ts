/**
 * Whether a voice is heard, frame by frame.
 *
 * @module
 */

/** Milliseconds of a frame. */
export const VOICE_FRAME = 20;

/** The rate that frames are looked at, in samples a second: all that is voiced lies below half of it. */
const RATE = 8_000;
const FRAME = RATE * VOICE_FRAME / 1000;

/** Lags of a voice: 70 to 400 Hz. */
const LAGS = { min: RATE / 400, max: Math.ceil(RATE / 70) } as const;

/** How much of a sample is left out of the next one, so that all parts of a voice count. */
const EMPHASIS = 0.95;

/** Below this many hertz is rumble and hum, which have a period too; a voice has enough above it. */
const LOW = 120;

/** Frames that the noise is judged by, and which part of them is noise alone. */
const NOISE_FRAMES = 300;
const NOISE_PART = 0.15;

/** The noise of a quiet room in dB of full scale, which is assumed for the first frames. */
const QUIET = -62;
const ASSUMED_FRAMES = 60;

/** Quieter frames are silence whatever is around them, in dB of full scale. */
const SILENCE = -66;

/** Decibels above the noise at which a voice is as likely as not, and those of one step of the logistic function. */
const MIDDLE = 10;
const STEP = 2.5;

/** How periodic noise is at most, and what is voiced at least. */
const PERIODIC = { noise: 0.32, voice: 0.55 } as const;

/** What is heard in a frame. */
export interface VoiceFrame {
  /** From 0 to 1: how likely a voice is heard, by its loudness against the noise and by its period. */
  readonly voiced: number;
  /** The same by loudness alone, which consonants have too. */
  readonly loud: number;
}

/**
 * Looks for a voice in a stream of sound: what is louder than the noise of the last seconds (its power, by quantiles as in
 * Stahl et al. 2000), and has the period of a voice (normalized autocorrelation, as in Boersma 1993). Steady noise is
 * not loud against itself, clicks and hiss have no period.
 */
export class VoiceDetector {
  readonly #step: number;
  readonly #highPass = new HighPass();
  /** Samples that wait for a whole one of {@linkcode RATE}: their sum and number. */
  #sum = 0;
  #count = 0;
  #before = 0;
  /** The last frame and the one that comes in. */
  readonly #window = new Float32Array(2 * FRAME);
  #filled = 0;
  readonly #recent: number[] = [];
  readonly #sorted: number[] = [];

  /** @param rate Samples a second: a multiple of 8,000. */
  constructor(rate: number) {
    this.#step = rate / RATE;
    for (let i = 0; i < ASSUMED_FRAMES; i++) this.#remember(QUIET);
  }

  /** Takes the next samples; gives the frames that they complete. */
  push(samples: Float32Array): VoiceFrame[] {
    const frames: VoiceFrame[] = [];
    for (const sample of samples) {
      this.#sum += sample;
      if (++this.#count < this.#step) continue;
      const mean = this.#highPass.next(this.#sum / this.#step);
      this.#sum = 0;
      this.#count = 0;
      this.#window[FRAME + this.#filled] = mean - EMPHASIS * this.#before;
      this.#before = mean;
      if (++this.#filled < FRAME) continue;
      frames.push(this.#frame());
      this.#window.copyWithin(0, FRAME);
      this.#filled = 0;
    }
    return frames;
  }

  #frame(): VoiceFrame {
    const loudness = decibels(this.#window.subarray(FRAME));
    const noise = this.#sorted[Math.floor(this.#sorted.length * NOISE_PART)];
    this.#remember(Math.max(loudness, SILENCE));
    if (loudness < SILENCE) return { voiced: 0, loud: 0 };
    const loud = 1 / (1 + Math.exp((MIDDLE - (loudness - noise)) / STEP));
    // The period costs a hundred times what the loudness does.
    const period = loud < 0.02 ? 0 : periodicity(this.#window);
    const part = (period - PERIODIC.noise) / (PERIODIC.voice - PERIODIC.noise);
    return { voiced: loud * Math.min(Math.max(part, 0), 1), loud };
  }

  #remember(loudness: number): void {
    this.#recent.push(loudness);
    this.#sorted.splice(placeOf(this.#sorted, loudness), 0, loudness);
    if (this.#recent.length > NOISE_FRAMES) this.#sorted.splice(placeOf(this.#sorted, this.#recent.shift()!), 1);
  }
}

/** A Butterworth filter of the second order, by the bilinear transform. */
class HighPass {
  #x1 = 0;
  #x2 = 0;
  #y1 = 0;
  #y2 = 0;

  next(x: number): number {
    const y = GAIN * (x - 2 * this.#x1 + this.#x2) - A1 * this.#y1 - A2 * this.#y2;
    this.#x2 = this.#x1;
    this.#x1 = x;
    this.#y2 = this.#y1;
    this.#y1 = y;
    return y;
  }
}

const K = Math.tan(Math.PI * LOW / RATE);
const GAIN = 1 / (1 + Math.SQRT2 * K + K * K);
const A1 = 2 * (K * K - 1) * GAIN;
const A2 = (1 - Math.SQRT2 * K + K * K) * GAIN;

/** The power of some samples against full scale. */
function decibels(samples: Float32Array): number {
  let sum = 0;
  for (const value of samples) sum += value * value;
  return 10 * Math.log10(sum / samples.length + 1e-12);
}

/** The largest normalized correlation of a window with itself, a period of a voice later. */
function periodicity(window: Float32Array): number {
  let best = 0;
  for (let lag = LAGS.min; lag <= LAGS.max; lag++) {
    let product = 0;
    let first = 0;
    let second = 0;
    for (let i = 0; i + lag < window.length; i++) {
      const a = window[i];
      const b = window[i + lag];
      product += a * b;
      first += a * a;
      second += b * b;
    }
    best = Math.max(best, product / Math.sqrt(first * second + 1e-12));
  }
  return best;
}

/** The first place in sorted numbers whose number is not below `value`. */
function placeOf(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
