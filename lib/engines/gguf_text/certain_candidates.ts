/**
 * Truncated sampling from the likeliest tokens alone, exact or not at all.
 *
 * @module
 */
import type { SamplingSettings } from "../../text/mod.ts";

/** Tokens that may be chosen, in the order of their ids. */
export interface Candidates {
  readonly ids: readonly number[];
  readonly logits: Float32Array;
}

/** Mass that float32 logits cannot tell from none. */
const NOTHING = 2 ** -24;

/**
 * Of the likeliest tokens those that top-k, then top-p, then min-p leave, just as `chooseToken` does when it sees the
 * whole vocabulary. Undefined when that cannot be said without the tokens that are not seen: each of them is at most
 * as likely as the least likely one that is.
 *
 * @param seen Logits by token, likeliest first.
 * @param floor No unseen token has a larger logit.
 * @param unseen How many allowed tokens are not among them.
 */
export function certainCandidates(
  seen: readonly (readonly [id: number, logit: number])[],
  floor: number,
  unseen: number,
  { temperature, topK, topP, minP }: SamplingSettings,
): Candidates | undefined {
  if (seen.length === 0) return undefined;
  const scale = temperature === 0 ? 1 : temperature;
  const largest = Math.fround(seen[0][1] / scale);
  const weigh = (logit: number): number => Math.exp(Math.fround(logit / scale) - largest);
  let kept = seen.toSorted(([a, x], [b, y]) => y - x || a - b);
  let rest = unseen * weigh(floor);
  if (temperature === 0) return inOrder(kept);
  if (topK > 0) {
    if (kept.length < topK && unseen > 0) return undefined;
    kept = kept.slice(0, topK);
    rest = 0;
  }
  const weights = kept.map(([, logit]) => weigh(logit));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (topP < 1) {
    const least = nucleusSize(weights, topP * sum);
    if (least !== nucleusSize(weights, topP * (sum + rest)) || (rest > 0 && least === weights.length)) return undefined;
    kept = kept.slice(0, least);
    rest = 0;
  }
  if (minP > 0) {
    const count = weights.slice(0, kept.length).filter((weight) => weight >= minP).length;
    if (weigh(floor) < minP) rest = 0;
    kept = kept.slice(0, count);
  }
  return rest > NOTHING * sum ? undefined : inOrder(kept);
}

/** How many of the likeliest tokens have together at least `mass`; at least one. */
function nucleusSize(weights: readonly number[], mass: number): number {
  let sum = 0;
  let count = 0;
  while (count < weights.length && (count === 0 || sum < mass)) sum += weights[count++];
  return count;
}

function inOrder(kept: readonly (readonly [number, number])[]): Candidates {
  const sorted = kept.toSorted(([a], [b]) => a - b);
  return { ids: sorted.map(([id]) => id), logits: Float32Array.from(sorted, ([, logit]) => logit) };
}
