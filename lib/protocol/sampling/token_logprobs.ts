/**
 * Log probabilities of chosen tokens.
 *
 * @module
 */
import type { ChosenToken } from "./choose_token.ts";
import { type TokenDistribution, tokenDistribution, WHOLE } from "./token_distribution.ts";

/** Stands for the logarithm of 0, since JSON has no infinity. */
export const MIN_LOGPROB = -9999;

/** A token with its two log probabilities. */
export interface TokenLogprob {
  readonly id: number;
  /** In the model's own distribution. */
  readonly raw: number;
  /** In the distribution it was chosen from. */
  readonly policy: number;
}

/** A chosen token, with its log probabilities, entropies and alternatives. */
export interface TokenLogprobs extends TokenLogprob {
  /** The likeliest tokens of the model's own distribution, likeliest first. */
  readonly top: readonly TokenLogprob[];
  /** Shannon entropies, in nats. */
  readonly rawEntropy: number;
  readonly policyEntropy: number;
  /** How much larger the largest log probability is than the second largest. */
  readonly rawMargin: number;
  readonly policyMargin: number;
}

/**
 * Log probabilities of a chosen token.
 *
 * @param raw The logits that it was chosen from.
 * @param count Number of alternatives to list, at least 0.
 */
export function tokenLogprobs(
  raw: Float32Array,
  { id, logits, truncation }: ChosenToken,
  count: number,
): TokenLogprobs {
  const model = tokenDistribution(raw, WHOLE);
  const policy = tokenDistribution(logits, truncation);
  const both = (token: number): TokenLogprob => ({
    id: token,
    raw: logprobOf(model, token),
    policy: logprobOf(policy, token),
  });
  return {
    ...both(id),
    top: likeliest(model, count).map(both),
    rawEntropy: entropy(model),
    policyEntropy: entropy(policy),
    rawMargin: margin(model),
    policyMargin: margin(policy),
  };
}

function logprobOf({ ids, weights, total }: TokenDistribution, id: number): number {
  const i = ids.indexOf(id);
  return i < 0 ? MIN_LOGPROB : Math.log(weights[i] / total);
}

function likeliest({ ids, weights }: TokenDistribution, count: number): number[] {
  if (count === 0) return [];
  const min = kthLargest(weights.slice(), Math.min(count, ids.length));
  const found: number[] = [];
  for (let i = 0; i < ids.length; i++) if (weights[i] >= min) found.push(i);
  return found.sort((a, b) => weights[b] - weights[a] || a - b).slice(0, count).map((i) => ids[i]);
}

/** The entropy of weights w with sum t is log t - (sum of w log w) / t. */
function entropy({ weights, total }: TokenDistribution): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i] * Math.log(weights[i]);
  return Math.max(Math.log(total) - sum / total, 0);
}

function margin({ weights }: TokenDistribution): number {
  if (weights.length < 2) return -MIN_LOGPROB;
  let [first, second] = [0, 0];
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] > first) [first, second] = [weights[i], first];
    else if (weights[i] > second) second = weights[i];
  }
  return Math.log(first / second);
}

/**
 * The k-th largest number, by Hoare's selection (1961) around the median of three; reorders `values`.
 *
 * @param k From 1 to the length.
 */
export function kthLargest(values: Float64Array, k: number): number {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const pivot = medianOfThree(values[left], values[(left + right) >> 1], values[right]);
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i] > pivot) i++;
      while (values[j] < pivot) j--;
      if (i > j) break;
      const value = values[i];
      values[i++] = values[j];
      values[j--] = value;
    }
    if (k - 1 <= j) right = j;
    else if (k - 1 >= i) left = i;
    else return pivot;
  }
  return values[left];
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
