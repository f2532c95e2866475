/**
 * Logits and probabilities of tokens, and whether the text of a window is reliable.
 *
 * @module
 */
import { deflate } from "../../platform/files/compression.ts";

/** Properties to judge. */
export interface WindowQuality {
  /** Mean of the logarithms of the probabilities of its tokens, the one that ends them included. */
  readonly avgLogprob: number;
  /** See {@linkcode compressionRatio}. */
  readonly compressionRatio: number;
  readonly noSpeechProb: number;
}

/** Less likely text is decoded again at a higher temperature. */
const MIN_AVG_LOGPROB = -1;
/** So is text that repeats itself. */
const MAX_COMPRESSION_RATIO = 2.4;
/** Unlikely text of a window that is probably not speech is dropped. */
const MAX_NO_SPEECH_PROB = 0.6;

/** Temperatures that are tried, in order, until the text is reliable. */
export const FALLBACK_TEMPERATURES: readonly number[] = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** The mean of the logarithms of probabilities; 0 for none. */
export function meanLogprob(logprobs: readonly number[]): number {
  return logprobs.reduce((sum, logprob) => sum + logprob, 0) / Math.max(logprobs.length, 1);
}

/** Whether a window holds no speech: then its text is left out. */
export function isSilence({ avgLogprob, noSpeechProb }: WindowQuality): boolean {
  return noSpeechProb > MAX_NO_SPEECH_PROB && avgLogprob < MIN_AVG_LOGPROB;
}

/** Whether a window is decoded again at the next temperature. */
export function needsFallback(quality: WindowQuality): boolean {
  if (isSilence(quality)) return false;
  return quality.compressionRatio > MAX_COMPRESSION_RATIO || isUnlikely(quality.avgLogprob);
}

/** Whether a text is so unlikely that it is decoded again. */
export function isUnlikely(avgLogprob: number): boolean {
  return avgLogprob < MIN_AVG_LOGPROB;
}

/** Bytes of a text in UTF-8 over bytes of the same in the form of zlib; 0 for no text. */
export function compressionRatio(text: string): number {
  const bytes = new TextEncoder().encode(text);
  return bytes.length / deflate(bytes).length;
}

/** The largest of some numbers; -Infinity for none. */
export function maxOf(values: Float32Array, from: number, to: number): number {
  let best = -Infinity;
  for (let i = from; i < to; i++) if (values[i] > best) best = values[i];
  return best;
}

/** log Σ exp(x); -Infinity for none. */
export function logSumExp(values: Float32Array, from = 0, to: number = values.length): number {
  const best = maxOf(values, from, to);
  if (best === -Infinity) return best;
  let sum = 0;
  for (let i = from; i < to; i++) sum += Math.exp(values[i] - best);
  return best + Math.log(sum);
}

/** The place of the largest number; -1 when all are -Infinity. */
export function argMax(values: Float32Array): number {
  let best = -1;
  for (let i = 0; i < values.length; i++) {
    if (values[i] > (best < 0 ? -Infinity : values[best])) best = i;
  }
  return best;
}

/** The token at which the sum of probabilities passes `random`, which is from 0 to 1. */
export function drawToken(logits: Float32Array, temperature: number, random: number): number {
  let largest = -Infinity;
  for (const value of logits) largest = Math.max(largest, value);
  // Relative to the largest, so that a tiny temperature cannot make them infinite.
  const scaled = logits.map((value) => (value - largest) / temperature);
  const total = logSumExp(scaled);
  let left = random;
  let last = -1;
  for (let id = 0; id < scaled.length; id++) {
    if (scaled[id] === -Infinity) continue;
    last = id;
    left -= Math.exp(scaled[id] - total);
    if (left < 0) break;
  }
  return last;
}

/** A text that says the same again and again: tokens that repeat this often, and are this many in all. */
const MIN_REPEATS = 4;
const MIN_REPEATED = 24;
const MAX_REPEATED_PART = 32;
/** Numbers and laughter repeat a single token, too. */
const MIN_SINGLE_REPEATS = 12;

/** How many tokens the part has with which some tokens end several times in a row; undefined when they do not. */
export function repeatedPart(tokens: readonly number[]): number | undefined {
  for (let part = 1; part <= MAX_REPEATED_PART; part++) {
    const repeats = part === 1 ? MIN_SINGLE_REPEATS : Math.max(MIN_REPEATS, Math.ceil(MIN_REPEATED / part));
    const needed = part * repeats;
    if (needed > tokens.length) continue;
    let same = part;
    while (same < needed && tokens[tokens.length - 1 - same] === tokens[tokens.length - 1 - same + part]) same++;
    if (same === needed) return part;
  }
  return undefined;
}

/** The tokens with a part that repeats at their end left only once. */
export function withoutRepeats(tokens: readonly number[]): readonly number[] {
  const part = repeatedPart(tokens);
  if (part === undefined) return tokens;
  let end = tokens.length;
  while (end > part && tokens[end - 1] === tokens[end - 1 - part]) end--;
  return tokens.slice(0, end);
}

/** Whether a text repeats itself. */
export function repeats(text: string): boolean {
  return compressionRatio(text) > MAX_COMPRESSION_RATIO;
}
