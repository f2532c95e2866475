/**
 * Which tokens Whisper may choose.
 *
 * @module
 */
import type { WhisperTokens } from "./whisper_tokens.ts";

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

/** The largest of some numbers; -Infinity for none. */
function maxOf(values: Float32Array, from: number, to: number): number {
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
