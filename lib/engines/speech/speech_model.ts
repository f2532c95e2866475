/**
 * Models that speak.
 *
 * @module
 */

/** Engines of models that speak. */
export type SpeechEngineId = "onnx-hibari" | "onnx-kokoro";

/** A model that speaks, as its files describe it. Plain data: it is kept in the store and goes between processes. */
export interface SpeechModelProfile {
  readonly kind: "speech";
  readonly engine: SpeechEngineId;
  /** Names of its voices, the default one first. */
  readonly voices: readonly string[];
  /** Samples a second. */
  readonly sampleRate: number;
}

/** What to say, and how. */
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

/** What is known before the first sound. */
export interface SpeechPlan {
  /** Samples a second. */
  readonly sampleRate: number;
  /** The voice that speaks. */
  readonly voice: string;
  /** Sentences; there may be sounds for fewer, since some have nothing to be said. */
  readonly sentences: number;
  /** What is not followed or left out, a sentence each. */
  readonly warnings: readonly string[];
}

/** The sound of a sentence, or of a part of a long one: mono, 1 is full scale. */
export interface SpokenSentence {
  /** Of the sentence, from 0 on. */
  readonly sentence: number;
  readonly samples: Float32Array<ArrayBuffer>;
}

/** Called while a model speaks, which goes on when the listener has finished. */
export interface SpeechListener {
  /** Called once, first. */
  readonly onPlan: (plan: SpeechPlan) => void | Promise<void>;
  /** Called for every sentence, in their order. */
  readonly onSentence: (spoken: SpokenSentence) => void | Promise<void>;
}

/** What has been said. */
export interface SpeechOutcome extends SpeechPlan {
  /** Samples of all sentences. */
  readonly samples: number;
}

/** What speaks, such as what `openHibariModel` opens. */
export interface SpeechModel {
  readonly profile: SpeechModelProfile;
  /** Such as `cpu`. */
  readonly device: string;
  /**
   * Speaks a text sentence by sentence. The same request gives the same samples.
   *
   * @throws {SvcError} when there is nothing that could be said, or more than {@linkcode MAX_SPEECH_BYTES}.
   * @throws the reason of `signal`, after at most one part of a sentence.
   */
  speak(request: SpeechRequest, listener: SpeechListener, signal: AbortSignal): Promise<SpeechOutcome>;
  /** Frees everything; no task may be running. */
  close(): Promise<void>;
}
