/**
 * Cuts long recordings at silences.
 *
 * @module
 */
import { SPEECH_RATE } from "../contract/transcription_model.ts";

/** A part of a recording with speech. */
export interface SpeechPiece {
  /** Where it begins, in samples from the start of the recording. */
  readonly start: number;
  readonly samples: Float32Array<ArrayBuffer>;
}

/** Samples of a frame: 20 ms. */
export const FRAME: number = SPEECH_RATE / 50;
const FRAMES_A_SECOND = SPEECH_RATE / FRAME;

/** Sound that is this much louder than the noise of the recording may be speech, in dB. */
const ABOVE_NOISE = 9;

/** Whatever is louder than the first counts as speech, quieter than the second as silence; dB of full scale. */
const LOUD = -41;
const QUIET = -65;

/** Frames that the noise is judged by, and which part of them is noise alone. */
const NOISE_FRAMES = 10 * FRAMES_A_SECOND;
const NOISE_PART = 0.1;

/** Frames that stay before and after speech. */
const PADDING = Math.round(0.2 * FRAMES_A_SECOND);

/** Frames of silence that end a piece: fewer, the longer it is by now, in seconds. */
const pauses: readonly (readonly [seconds: number, frames: number])[] = [[16, 13], [8, 25], [0, 40]];

/** A piece without silences is cut at its quietest place within this many seconds before its longest. */
const SEARCH_SECONDS = 8;

/** Cuts a stream of samples into pieces by their energy; silence between pieces is left out. */
export class SpeechCutter {
  readonly #maxFrames: number;
  /** Samples from the frame `#first` on. */
  #kept = new Float32Array();
  #first = 0;
  /** The frame from which on frames are still needed: those before it go with the next samples. */
  #needed = 0;
  /** Energies of the frames from `#first` on, in dB. */
  #energies: number[] = [];
  /** Those that the noise is judged by: as they came, and by their size. */
  readonly #recent: number[] = [];
  readonly #sorted: number[] = [];
  /** Frame on which the speech of the open piece began. */
  #opened: number | undefined;
  /** The last frame with speech. */
  #spoken = 0;
  #received = 0;

  /** @param maxSeconds Longest piece, more than {@linkcode SEARCH_SECONDS}. */
  constructor(maxSeconds: number) {
    this.#maxFrames = maxSeconds * FRAMES_A_SECOND;
  }

  /** Samples that have come. */
  get received(): number {
    return this.#received;
  }

  /** Takes the next samples, and gives the pieces that have ended. */
  push(samples: Float32Array): SpeechPiece[] {
    this.#received += samples.length;
    this.#forget();
    const kept = new Float32Array(this.#kept.length + samples.length);
    kept.set(this.#kept);
    kept.set(samples, this.#kept.length);
    this.#kept = kept;
    const pieces: SpeechPiece[] = [];
    while ((this.#energies.length + 1) * FRAME <= this.#kept.length) pieces.push(...this.#frame());
    return pieces;
  }

  /** Gives the piece that the end of the recording ends. */
  flush(): SpeechPiece[] {
    const rest = this.#kept.length % FRAME;
    const pieces = rest > 0 ? this.push(new Float32Array(FRAME - rest)) : [];
    if (rest > 0) this.#received -= FRAME - rest;
    if (this.#opened !== undefined) pieces.push(this.#close(this.#spoken + 1 + PADDING));
    return pieces.map((piece) => {
      const length = Math.min(piece.samples.length, this.#received - piece.start);
      return { start: piece.start, samples: piece.samples.slice(0, length) };
    });
  }

  #frame(): SpeechPiece[] {
    const at = this.#energies.length;
    const frame = this.#first + at;
    const energy = decibels(this.#kept.subarray(at * FRAME, (at + 1) * FRAME));
    this.#energies.push(energy);
    this.#recent.push(energy);
    this.#sorted.splice(placeOf(this.#sorted, energy), 0, energy);
    if (this.#recent.length > NOISE_FRAMES) this.#sorted.splice(placeOf(this.#sorted, this.#recent.shift() ?? 0), 1);
    if (energy > this.#threshold()) {
      this.#opened ??= frame;
      this.#spoken = frame;
    }
    if (this.#opened === undefined) {
      this.#needed = Math.max(this.#needed, frame - PADDING);
      return [];
    }
    const length = frame + 1 - this.#opened;
    const [, pause] = pauses.find(([seconds]) => length >= seconds * FRAMES_A_SECOND) ?? pauses[0];
    if (frame - this.#spoken >= pause) return [this.#close(this.#spoken + 1 + PADDING)];
    if (length < this.#maxFrames) return [];
    const cut = this.#quietest(frame + 1 - SEARCH_SECONDS * FRAMES_A_SECOND, frame + 1);
    const piece = this.#close(cut);
    this.#opened = cut;
    return [piece];
  }

  #threshold(): number {
    return speechThreshold(this.#sorted);
  }

  /** The middle of the quietest three frames. */
  #quietest(from: number, to: number): number {
    let best = from + 1;
    let least = Infinity;
    for (let frame = from + 1; frame < to - 1; frame++) {
      const at = frame - this.#first;
      const energy = this.#energies[at - 1] + this.#energies[at] + this.#energies[at + 1];
      if (energy < least) [best, least] = [frame, energy];
    }
    return best;
  }

  /** Ends the open piece before the frame `end`. */
  #close(end: number): SpeechPiece {
    const from = Math.max((this.#opened ?? 0) - PADDING, this.#needed);
    const samples = this.#kept.slice((from - this.#first) * FRAME, (end - this.#first) * FRAME);
    this.#opened = undefined;
    this.#needed = Math.max(this.#needed, Math.min(end, this.#first + this.#energies.length));
    return { start: from * FRAME, samples };
  }

  /** Once for all samples that come together: it copies what stays. */
  #forget(): void {
    const count = this.#needed - this.#first;
    if (count <= 0) return;
    this.#kept = this.#kept.slice(count * FRAME);
    this.#energies.splice(0, count);
    this.#first = this.#needed;
  }
}

/** The energy from which on a frame may be speech, by the sorted energies of frames around it. */
export function speechThreshold(sorted: readonly number[]): number {
  const noise = sorted[Math.floor(sorted.length * NOISE_PART)];
  return Math.min(Math.max(noise + ABOVE_NOISE, QUIET), LOUD);
}

/** Energy of some samples against full scale. */
export function decibels(samples: Float32Array): number {
  let sum = 0;
  for (const value of samples) sum += value * value;
  return 10 * Math.log10(sum / samples.length + 1e-12);
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
