/**
 * The special tokens of Whisper: which may be chosen, and what their logits say of language and silence.
 *
 * @module
 */
import { logSumExp, maxOf } from "../decoding_quality.ts";

/** Ids by meaning; they differ between models, so they come from the files of each. */
export interface WhisperTokens {
  /** Ends the text of a window. */
  readonly end: number;
  /** Starts a transcript. */
  readonly start: number;
  /** Tasks; undefined in English-only models. */
  readonly transcribe: number | undefined;
  readonly translate: number | undefined;
  /** Comes before the text of earlier windows. */
  readonly previous: number | undefined;
  /** Stands for a window without speech. */
  readonly noSpeech: number | undefined;
  readonly noTimestamps: number;
  /** The time 0; the next ids are later times. */
  readonly timestampBegin: number;
  /** Ids by the code of the language; empty in English-only models. */
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

/**
 * Sets the logits of tokens that must not come next to -Infinity. Timestamps come in pairs, the end of a segment and
 * the start of the next one, and never go back; one comes when all timestamps together are likelier than any text.
 *
 * @param prefix Tokens of this window so far.
 * @param timestamps Whether the window is transcribed with timestamps.
 */
export function applyLogitRules(
  logits: Float32Array,
  tokens: WhisperTokens,
  prefix: readonly number[],
  timestamps: boolean,
): void {
  if (prefix.length === 0) forbid(logits, tokens.suppressedFirst);
  forbid(logits, tokens.suppressed);
  if (timestamps) applyTimestampRules(logits, tokens, prefix);
}

function applyTimestampRules(
  logits: Float32Array,
  { end, noTimestamps, timestampBegin, maxInitialTimestamp }: WhisperTokens,
  prefix: readonly number[],
): void {
  const isTimestamp = (place: number) => prefix[place] >= timestampBegin;
  const last = prefix.length - 1;
  logits[noTimestamps] = -Infinity;
  const open = last >= 0 && isTimestamp(last) && last > 0 && !isTimestamp(last - 1);
  if (last >= 0 && isTimestamp(last)) {
    // The end of a segment is followed by the start of the next one or the end of the text, a start by text.
    if (open) logits.fill(-Infinity, 0, end);
    else logits.fill(-Infinity, timestampBegin);
  }
  const latest = prefix.findLast((token) => token >= timestampBegin);
  // A segment may begin where the last one ended, but must be longer than nothing.
  if (latest !== undefined) logits.fill(-Infinity, timestampBegin, open ? latest : latest + 1);
  if (prefix.length === 0) {
    logits.fill(-Infinity, 0, timestampBegin);
    if (maxInitialTimestamp !== undefined) logits.fill(-Infinity, timestampBegin + maxInitialTimestamp + 1);
  }
  const best = maxOf(logits, 0, timestampBegin);
  if (logSumExp(logits, timestampBegin, logits.length) > best) logits.fill(-Infinity, 0, timestampBegin);
}

function forbid(logits: Float32Array, ids: readonly number[]): void {
  for (const id of ids) if (id < logits.length) logits[id] = -Infinity;
}

/** The likeliest language. */
interface DetectedLanguage {
  /** Such as `en`. */
  readonly language: string;
  /** Of all languages of the model, by code. */
  readonly probabilities: ReadonlyMap<string, number>;
}

/**
 * Uses the logits after the start token; only language tokens count.
 *
 * @param logits Those after that token.
 * @throws {RangeError} when the model supports English only.
 */
export function detectLanguage(logits: Float32Array, { languages }: WhisperTokens): DetectedLanguage {
  const scores = Float32Array.from(languages.values(), (id) => logits[id]);
  const total = logSumExp(scores);
  const probabilities = new Map([...languages.keys()].map((code, i) => [code, Math.exp(scores[i] - total)]));
  const [best] = [...probabilities].sort(([, a], [, b]) => b - a);
  if (best === undefined) throw new RangeError("Cannot detect the language: the model supports English only");
  return { language: best[0], probabilities };
}

/** The probability that a window has no speech, by the logits after the start token. */
export function noSpeechProbability(logits: Float32Array, { noSpeech }: WhisperTokens): number {
  return noSpeech === undefined ? 0 : Math.exp(logits[noSpeech] - logSumExp(logits));
}
