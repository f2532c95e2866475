/**
 * Sound as text.
 *
 * @module
 */

/** What happens to the words: kept in their language, or put into English. */
export type TranscriptionTask = "transcribe" | "translate";

/** A part of the text with its time, as in OpenAI's `verbose_json`. */
export interface TranscriptSegment {
  /** Seconds. */
  readonly start: number;
  readonly end: number;
  /** With the space before it, where the language writes one. */
  readonly text: string;
  readonly tokens: readonly number[];
  /** Where the window begins that it was decoded in, in hundredths of a second. */
  readonly seek: number;
  /** The one that it was decoded with. */
  readonly temperature: number;
  /** Mean of the logarithms of the probabilities of its window's tokens. */
  readonly avgLogprob: number;
  /** Bytes of its window's text over bytes of the same compressed: above 2.4 it repeats itself. */
  readonly compressionRatio: number;
  /** Probability that its window holds no speech. */
  readonly noSpeechProb: number;
}

/** A word with its time. */
export interface TranscriptWord {
  readonly word: string;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
}

/** The text of a recording. */
export interface Transcript {
  readonly task: TranscriptionTask;
  /** Code of the language that is spoken, such as `en`; undefined if the model does not report it. */
  readonly language: string | undefined;
  /** Seconds of sound. */
  readonly duration: number;
  /** In the order of time. */
  readonly segments: readonly TranscriptSegment[];
  /** Undefined when they were not asked for. */
  readonly words?: readonly TranscriptWord[];
}

/** The whole text of some segments. */
export function transcriptText(segments: readonly Pick<TranscriptSegment, "text">[]): string {
  return segments.map(({ text }) => text).join("").trim();
}
