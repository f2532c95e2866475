/**
 * A model that writes down what is said.
 *
 * @module
 */
import type { EngineId } from "./engine_ids.ts";
import type { Transcript, TranscriptionTask, TranscriptSegment } from "../../protocol/transcription/transcript.ts";

/** What is known of a model without loading it. */
export interface TranscriptionModelProfile {
  readonly kind: "transcription";
  readonly engine: EngineId<"transcription">;
  /** Codes of its languages; empty when its files do not say. */
  readonly languages: readonly string[];
  /** Whether it can put other languages into English. */
  readonly translates: boolean;
  /** Whether it can return word times. */
  readonly words: boolean;
  /** Whether it takes text that comes before the recording, and a temperature. */
  readonly prompts: boolean;
}

/** Samples a second that all of these models take. */
export const SPEECH_RATE = 16_000;

/** What is wanted of a recording. Fields that a model cannot honour, by its profile, must not be set. */
export interface TranscriptionRequest {
  /** One channel of {@linkcode SPEECH_RATE} samples a second, in parts of any length; read once. */
  readonly samples: AsyncIterable<Float32Array>;
  readonly task: TranscriptionTask;
  /** Code of the language that is spoken; found by the model when left out. */
  readonly language?: string;
  /** Text that comes before the recording: names, and the style of writing. */
  readonly prompt?: string;
  /**
   * Above 0, tokens are sampled at this temperature; omitted or 0, the model chooses the best and retries if
   * unreliable.
   */
  readonly temperature?: number;
  /** Whether the times of words are wanted. */
  readonly words: boolean;
  /** Most tokens of a window, from 1 up. */
  readonly maxTokens: number;
}

/** Receives progress of a transcription. */
export interface TranscriptionListener {
  /** The next segment is certain. */
  onSegment(segment: TranscriptSegment): void;
  /** So many seconds of the recording are done. */
  onProgress(seconds: number): void;
}

/** A model that is open. Calls of `transcribe` must not overlap. */
export interface TranscriptionModel {
  readonly profile: TranscriptionModelProfile;
  /** Such as `cpu` or `cuda`. */
  readonly device: string;
  /** @throws the reason of `signal` when it aborts, at the latest after the step under way. */
  transcribe(
    request: TranscriptionRequest,
    signal: AbortSignal,
    listener: TranscriptionListener,
  ): Promise<Transcript>;
  /** Frees everything; nothing is running. */
  close(): Promise<void>;
}
