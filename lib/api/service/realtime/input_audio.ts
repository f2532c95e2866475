/**
 * Sound that a realtime session gets.
 *
 * @module
 */
import { liveSampleBytes, readLive } from "../../../media/audio/live_audio.ts";
import { pcm16, wavHeader } from "../../../media/audio/encoding/pcm_encoder.ts";
import { TurnDetector } from "../../../media/audio/turn_detector.ts";
import { AUDIO_RATES, type LiveFormat, type TurnConfig } from "../../../protocol/mod.ts";
import { invalidField, SvcError } from "../../../errors/svc_error.ts";

/** Seconds of sound that wait to be committed, at most. */
export const MAX_TURN_SECONDS = 300;

/** Seconds that a commit of the client must have. */
const MIN_COMMIT = 0.1;

/** Milliseconds until a voice is noticed, whose sound is kept besides the padding. */
const NOTICE = 200;

/** A sample is kept as 16 bits. */
const BYTES = 2;

/** Bytes of a chunk, at most, unless they come at once. */
const CHUNK = 4_800;

const encodings = { "audio/pcm": "s16", "audio/pcmu": "ulaw", "audio/pcma": "alaw" } as const;

/** Sound of one channel as a file. */
export interface Recording {
  /** A WAV file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly seconds: number;
}

/** What has happened in the sound that came; times in milliseconds from the start of all sound. */
export type InputEvent =
  | { readonly kind: "started"; readonly start: number }
  | { readonly kind: "paused" | "resumed" }
  | { readonly kind: "stopped"; readonly end: number };

/** The buffer of a session, and the turns in it. */
export class InputAudio {
  #format: LiveFormat = "audio/pcm";
  #turns: TurnConfig | null = null;
  #detector: TurnDetector | undefined;
  #chunks: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes in `#chunks`. */
  #bytes = 0;
  /** Milliseconds of sound before the first chunk. */
  #before = 0;
  #detected = 0;

  /** Takes another configuration; sound that waits in another format is dropped. */
  configure(format: LiveFormat, turns: TurnConfig | null): void {
    if (format !== this.#format) this.clear();
    const isSame = format === this.#format && JSON.stringify(turns) === JSON.stringify(this.#turns);
    this.#format = format;
    this.#turns = turns;
    if (isSame) return;
    this.#detector = turns === null
      ? undefined
      : new TurnDetector(AUDIO_RATES[format], { threshold: turns.threshold, silence: turns.silence });
    this.#detected = this.milliseconds;
  }

  /** Milliseconds of all sound that has come. */
  get milliseconds(): number {
    return this.#before + this.#duration(this.#bytes);
  }

  /** Milliseconds of the sound that waits. */
  get waiting(): number {
    return this.#duration(this.#bytes);
  }

  /** Whether a voice is heard. */
  get speaking(): boolean {
    return this.#detector?.speaking ?? false;
  }

  /**
   * Takes sound, as base64; gives what has happened, in order. What is neither a turn nor just before one is dropped.
   *
   * @throws {SvcError} for what is not base64, not whole samples, and for more sound than may wait.
   */
  append(base64: string, handle: (event: InputEvent) => void): void {
    const samples = readSound(base64, this.#format);
    const rate = AUDIO_RATES[this.#format];
    if (samples.length / rate + this.waiting / 1000 > MAX_TURN_SECONDS) {
      const message = `Cannot append the sound: ${Math.round(this.waiting / 1000)} s wait already, expected at most ` +
        `${MAX_TURN_SECONDS} s together: commit or clear them first`;
      throw invalidField("audio", message);
    }
    // Turns are looked for in short parts, so that what is committed ends where its turn does.
    const part = rate / 10;
    for (let at = 0; at < samples.length; at += part) this.#take(samples.subarray(at, at + part), handle);
  }

  #take(samples: Float32Array<ArrayBuffer>, handle: (event: InputEvent) => void): void {
    this.#keep(pcm16(samples));
    const rate = AUDIO_RATES[this.#format];
    for (const { kind, at } of this.#detector?.push(samples) ?? []) {
      const time = this.#detected + at / rate * 1000;
      if (kind === "started") {
        this.#dropBefore(time - NOTICE - this.#turns!.prefixPadding);
        handle({ kind, start: Math.round(this.#before) });
      } else if (kind === "stopped") handle({ kind, end: Math.round(time) });
      else handle({ kind });
    }
    if (this.#detector && !this.speaking) this.#dropBefore(this.milliseconds - NOTICE - this.#turns!.prefixPadding);
    if (this.#detector && this.speaking && this.waiting > (MAX_TURN_SECONDS - 1) * 1000) {
      this.#detector.stop();
      handle({ kind: "stopped", end: Math.round(this.milliseconds) });
    }
  }

  /** Small parts are joined: a chunk costs more than a sample. */
  #keep(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes += bytes.length;
    const last = this.#chunks.at(-1);
    if (last === undefined || last.length + bytes.length > CHUNK) return void this.#chunks.push(bytes);
    const joined = new Uint8Array(last.length + bytes.length);
    joined.set(last);
    joined.set(bytes, last.length);
    this.#chunks[this.#chunks.length - 1] = joined;
  }

  /** What waits, as a recording. */
  peek(): Recording {
    const rate = AUDIO_RATES[this.#format];
    const header = wavHeader({ sampleRate: rate, length: this.#bytes / BYTES });
    const bytes = new Uint8Array(header.length + this.#bytes);
    bytes.set(header);
    let at = header.length;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return { bytes, seconds: this.waiting / 1000 };
  }

  /**
   * Makes sure that what waits can be committed.
   *
   * @throws {SvcError} where it is too short.
   */
  checkCommit(): void {
    if (this.waiting >= MIN_COMMIT * 1000) return;
    const message = `Cannot commit the sound: ${Math.round(this.waiting)} ms wait, expected at least ` +
      `${MIN_COMMIT * 1000} ms: append sound first`;
    throw new SvcError("input_audio_buffer_commit_empty", message);
  }

  /** Takes what waits out of the buffer. Throws as {@linkcode checkCommit}. */
  commit(): Recording {
    this.checkCommit();
    const recording = this.peek();
    this.clear();
    return recording;
  }

  /** Drops what waits. */
  clear(): void {
    this.#before = this.milliseconds;
    this.#chunks = [];
    this.#bytes = 0;
    this.#detector?.stop();
  }

  #dropBefore(time: number): void {
    while (this.#chunks.length > 0) {
      const length = this.#duration(this.#chunks[0].length);
      if (this.#before + length > time) return;
      this.#before += length;
      this.#bytes -= this.#chunks.shift()!.length;
    }
  }

  #duration(bytes: number): number {
    return bytes / BYTES / AUDIO_RATES[this.#format] * 1000;
  }
}

/**
 * A recording of a part of an item, as base64.
 *
 * @throws {SvcError} as {@linkcode InputAudio.append}.
 */
export function recordingOf(base64: string, format: LiveFormat): Recording {
  const audio = new InputAudio();
  audio.configure(format, null);
  audio.append(base64, () => {});
  return audio.commit();
}

/** Samples of one channel. */
function readSound(base64: string, format: LiveFormat): Float32Array<ArrayBuffer> {
  let text: string;
  try {
    text = atob(base64);
  } catch {
    throw invalidField("audio", 'Cannot append the sound: "audio" is not base64, expected the bytes of samples in it');
  }
  const encoding = encodings[format];
  const width = liveSampleBytes(encoding);
  if (text.length % width !== 0) {
    const message = `Cannot append the sound: "audio" has ${text.length} bytes, expected whole samples of ${width}`;
    throw invalidField("audio", message);
  }
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return readLive(bytes, encoding);
}
