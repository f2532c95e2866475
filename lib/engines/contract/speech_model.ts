/**
 * Speech models.
 *
 * @module
 */
import type { EngineId } from "./engine_ids.ts";

/** A speech model, as described by its files. Plain data: kept in the store and sent between processes. */
export interface SpeechModelProfile {
  readonly kind: "speech";
  readonly engine: EngineId<"speech">;
  /** Names of its voices, the default one first. */
  readonly voices: readonly string[];
  /** Samples a second. */
  readonly sampleRate: number;
}

/** The text to speak, and how. */
export interface SpeechRequest {
  readonly text: string;
  /** Name of a voice of the model or of OpenAI, or a description in free words; undefined for the default voice. */
  readonly voice: string | undefined;
  /** How to speak, in free words. */
  readonly instructions: string | undefined;
  /** {@linkcode SPEED}; 1 is as the voice speaks. */
  readonly speed: number;
}

/** Bounds of `speed`. */
export const SPEED = { min: 0.25, max: 4 } as const;

/** Bytes of UTF-8 that the text and the instructions may have together. */
export const MAX_SPEECH_BYTES: number = 32 * 1024;

/** Known before the first sound. */
export interface SpeechPlan {
  /** Samples a second. */
  readonly sampleRate: number;
  /** The voice that speaks. */
  readonly voice: string;
  /** Sentences; there may be sounds for fewer, since some have nothing to be said. */
  readonly sentences: number;
  /** Sentences about what is ignored or omitted. */
  readonly warnings: readonly string[];
}

/** The sound of a sentence, or of a part of a long one: mono, 1 is full scale. */
export interface SpokenSentence {
  /** Of the sentence, from 0 on. */
  readonly sentence: number;
  readonly samples: Float32Array<ArrayBuffer>;
  /** Whether nothing follows. */
  readonly last: boolean;
}

/** Called during synthesis, which continues after the callback resolves. */
export interface SpeechListener {
  /** Called once, before all sounds. */
  readonly onPlan: (plan: SpeechPlan) => void | Promise<void>;
  /** Called for every sentence, in their order. */
  readonly onSentence: (spoken: SpokenSentence) => void | Promise<void>;
}

/** Result of a synthesis. */
export interface SpeechOutcome extends SpeechPlan {
  /** Samples of all sentences. */
  readonly samples: number;
  /** Phonemes that were spoken. */
  readonly phonemes: number;
}

/** A synthesizer, such as `openHibariModel` opens. */
export interface SpeechModel {
  readonly profile: SpeechModelProfile;
  /** Such as `cpu`. */
  readonly device: string;
  /**
   * Speaks a text sentence by sentence. The same request gives the same samples.
   *
   * @throws {SvcError} if there is nothing to speak, or more than {@linkcode MAX_SPEECH_BYTES}.
   * @throws the reason of `signal`, after at most one part of a sentence.
   */
  speak(request: SpeechRequest, listener: SpeechListener, signal: AbortSignal): Promise<SpeechOutcome>;
  /** Releases everything; no task may be running. */
  close(): Promise<void>;
}
