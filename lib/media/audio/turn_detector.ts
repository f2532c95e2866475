/**
 * The turns of a speaker in a stream of sound.
 *
 * @module
 */
import { VOICE_FRAME, VoiceDetector } from "./voice_detector.ts";

/** What decides about turns; times are in milliseconds. */
export interface TurnSettings {
  /** From 0 to 1: how likely a voice must be. */
  readonly threshold: number;
  /** Without a voice, after which a turn has ended. */
  readonly silence: number;
}

/** What has happened to a turn, and the sample at which it was known. */
export interface TurnEvent {
  /** A pause is the first half of the silence that ends a turn; the voice may come back, which resumes it. */
  readonly kind: "started" | "paused" | "resumed" | "stopped";
  /** Samples from the start of the stream. */
  readonly at: number;
}

/** Of this many frames, so many must have a voice for a turn to start: no click is so long. */
const START = { of: 7, voiced: 4 } as const;

/** Frames without a period that belong to the voice before them where they are loud: consonants are no longer. */
const CONSONANT = 12;

/** Finds turns: a voice starts one, and a silence ends it. */
export class TurnDetector {
  readonly #detector: VoiceDetector;
  readonly #frameSamples: number;
  readonly #settings: TurnSettings;
  #frames = 0;
  readonly #voiced: boolean[] = [];
  #speaking = false;
  #paused = false;
  #silentFrames = 0;
  #sinceVoiced = 0;

  /** @param rate Samples a second: a multiple of 8,000. */
  constructor(rate: number, settings: TurnSettings) {
    this.#detector = new VoiceDetector(rate);
    this.#frameSamples = rate * VOICE_FRAME / 1000;
    this.#settings = settings;
  }

  /** Whether a turn is under way. */
  get speaking(): boolean {
    return this.#speaking;
  }

  /** Takes the next samples. */
  push(samples: Float32Array): TurnEvent[] {
    return this.#detector.push(samples).flatMap(({ voiced, loud }) => {
      this.#frames++;
      const kind = this.#speaking ? this.#continue(voiced, loud) : this.#start(voiced);
      return kind === undefined ? [] : [{ kind, at: this.#frames * this.#frameSamples }];
    });
  }

  /** Ends the turn that is under way, as a client that commits does. */
  stop(): void {
    this.#speaking = false;
    this.#voiced.length = 0;
  }

  #start(voiced: number): TurnEvent["kind"] | undefined {
    this.#voiced.push(voiced >= this.#settings.threshold);
    if (this.#voiced.length > START.of) this.#voiced.shift();
    if (this.#voiced.filter(Boolean).length < START.voiced) return undefined;
    this.#voiced.length = 0;
    this.#silentFrames = 0;
    this.#sinceVoiced = 0;
    this.#paused = false;
    this.#speaking = true;
    return "started";
  }

  #continue(voiced: number, loud: number): TurnEvent["kind"] | undefined {
    const { threshold, silence } = this.#settings;
    this.#sinceVoiced = voiced >= threshold ? 0 : this.#sinceVoiced + 1;
    if (this.#sinceVoiced === 0 || loud >= threshold && this.#sinceVoiced <= CONSONANT) {
      this.#silentFrames = 0;
      if (!this.#paused) return undefined;
      this.#paused = false;
      return "resumed";
    }
    const silent = ++this.#silentFrames * VOICE_FRAME;
    if (silent >= silence) {
      this.stop();
      return "stopped";
    }
    if (this.#paused || silent < silence / 2) return undefined;
    this.#paused = true;
    return "paused";
  }
}
