/**
 * The special tokens of Whisper.
 *
 * @module
 */

/** Ids by meaning; they differ between models, so they come from the files of each. */
export interface WhisperTokens {
  /** Ends the text of a window. */
  readonly end: number;
  /** Starts a transcript. */
  readonly start: number;
  /** Tasks; undefined in models that know English only. */
  readonly transcribe: number | undefined;
  readonly translate: number | undefined;
  /** Comes before the text of earlier windows. */
  readonly previous: number | undefined;
  /** Stands for a window without speech. */
  readonly noSpeech: number | undefined;
  readonly noTimestamps: number;
  /** The time 0; the next ids are later times. */
  readonly timestampBegin: number;
  /** Ids by the code of the language; empty in models that know English only. */
  readonly languages: ReadonlyMap<string, number>;
  /** Never chosen. */
  readonly suppressed: readonly number[];
  /** Not chosen as the first token of a window. */
  readonly suppressedFirst: readonly number[];
  /** Steps of 0.02 s up to the latest time at which the text of a window can begin. */
  readonly maxInitialTimestamp: number | undefined;
}

/** Seconds from one timestamp to the next. */
export const TIMESTAMP_SECONDS = 0.02;
