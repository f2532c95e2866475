/**
 * The tokens that may be chosen, with their weights.
 *
 * @module
 */
import type { SamplingSettings } from "./policy_logits.ts";

/** Tokens in the order of their ids. A token's probability is its weight divided by `total`. */
export interface TokenDistribution {
  readonly ids: Int32Array;
  /** The largest is 1. */
  readonly weights: Float64Array;
  readonly total: number;
}

/** The tokens that may be chosen. */
export type Truncation = Pick<SamplingSettings, "topK" | "topP" | "minP">;

/** Every token that has a probability. */
export const WHOLE: Truncation = { topK: 0, topP: 1, minP: 0 };

/**
 * Softmax over the tokens left by top-k, then top-p (Holtzman et al. 2020), then min-p (Nguyen et al. 2024); each uses
 * the probabilities left by the one before. Among equally likely tokens lower ids stay.
 *
 * @param logits As from {@linkcode policyLogits}.
 * @throws {RangeError} when no logit is finite: a broken model, or a mask that forbids everything.
 */
export function tokenDistribution(logits: Float32Array, { topK, topP, minP }: Truncation): TokenDistribution {
  let found = topK > 0 && topK < logits.length ? weigh(logits, minOfLargest(logits, topK), topK) : weigh(logits);
  if (topP < 1) found = nucleus(found, topP);
  if (minP > 0) found = keep(found, minP, found.ids.length);
  return found;
}

// Loops over the whole vocabulary are written out: iterators and closures are several times slower.
/** Weighs the tokens with logits above `min`, and those equal to it up to `max` tokens in total. */
function weigh(logits: Float32Array, min = -Infinity, max = logits.length): TokenDistribution {
  let largest = -Infinity;
  let equals = max;
  for (let id = 0; id < logits.length; id++) {
    if (logits[id] > largest) largest = logits[id];
    if (logits[id] > min) equals--;
  }
  if (!Number.isFinite(largest)) {
    throw new RangeError(`Cannot choose a token: the largest logit is ${largest}, expected a finite number`);
  }
  const ids = new Int32Array(max);
  const weights = new Float64Array(max);
  let count = 0;
  let total = 0;
  for (let id = 0; id < logits.length; id++) {
    if (!(logits[id] > min) && !(logits[id] === min && equals-- > 0)) continue;
    const weight = Math.exp(logits[id] - largest);
    if (!(weight > 0)) continue;
    ids[count] = id;
    weights[count++] = weight;
    total += weight;
  }
  return { ids: ids.subarray(0, count), weights: weights.subarray(0, count), total };
}

/** The k-th largest logit. Most logits are only compared with the smallest of the largest so far. */
function minOfLargest(logits: Float32Array, k: number): number {
  const largest = new Float32Array(4 * k);
  let count = 0;
  let min = -Infinity;
  for (let id = 0; id < logits.length; id++) {
    if (!(logits[id] > min)) continue;
    largest[count++] = logits[id];
    if (count < largest.length) continue;
    largest.sort().copyWithin(0, count - k);
    count = k;
    min = largest[0];
  }
  return count < k ? -Infinity : largest.subarray(0, count).sort()[count - k];
}

/** The tokens of weight `min` or more, at most `max` of them: among those equal to it the first ones. */
function keep({ ids, weights }: TokenDistribution, min: number, max: number): TokenDistribution {
  let equals = max;
  for (let i = 0; i < ids.length; i++) if (weights[i] > min) equals--;
  const kept = new Int32Array(Math.min(max, ids.length));
  let count = 0;
  let total = 0;
  for (let i = 0; i < ids.length; i++) {
    if (!(weights[i] > min) && !(weights[i] === min && equals-- > 0)) continue;
    kept[count++] = i;
    total += weights[i];
  }
  const keptIds = new Int32Array(count);
  const keptWeights = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    keptIds[i] = ids[kept[i]];
    keptWeights[i] = weights[kept[i]];
  }
  return { ids: keptIds, weights: keptWeights, total };
}

function nucleus(all: TokenDistribution, topP: number): TokenDistribution {
  const { weights, total } = all;
  // All tokens below this together have less than 1 - topP: none of them is needed, and none is sorted.
  const floor = Math.min((total * (1 - topP)) / weights.length, 1);
  const sorted = weights.filter((weight) => weight >= floor).sort();
  let sum = 0;
  let count = 0;
  while (count < sorted.length && (count === 0 || sum < topP * total)) sum += sorted[sorted.length - ++count];
  return keep(all, sorted[sorted.length - count], count);
}
