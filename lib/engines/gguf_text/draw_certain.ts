/**
 * Exact sampling from the likeliest tokens alone.
 *
 * @module
 */
import type { SamplingSettings } from "../../protocol/mod.ts";

/** A token, and its logit after penalties and temperature. */
export type ScoredToken = readonly [id: number, logit: number];

/** Probability mass between two bounds, in units of the weight of a logit of `largest`. */
export interface Mass {
  readonly min: number;
  readonly max: number;
}

/** No other tokens. */
export const NO_MASS: Mass = { min: 0, max: 0 };

/**
 * Draws a token after top-k, then top-p, then min-p, each among what the one before left, as `chooseToken` does. It
 * inverts the cumulative distribution starting at the likeliest token, so that unlikely ones seldom matter.
 *
 * @param seen The likeliest of the candidate tokens, in this order.
 * @param largest Logit whose weight is 1.
 * @param unseen The mass of all other candidates, none of which is likelier than any of `seen`.
 * @param uniform A number in [0, 1).
 * @returns Undefined when the other candidates could decide.
 */
export function drawCertain(
  seen: readonly ScoredToken[],
  largest: number,
  unseen: Mass,
  { topK, topP, minP }: Pick<SamplingSettings, "topK" | "topP" | "minP">,
  uniform: number,
): number | undefined {
  if (seen.length === 0) return undefined;
  let weights = seen.map(([, logit]) => Math.exp(logit - largest));
  let rest = unseen;
  if (topK > 0) {
    if (weights.length < topK && rest.max > 0) return undefined;
    weights = weights.slice(0, topK);
    rest = NO_MASS;
  }
  if (topP < 1) {
    const sum = sumOf(weights);
    const count = reach(weights, topP * (sum + rest.min));
    if (count === undefined || count !== reach(weights, topP * (sum + rest.max))) return undefined;
    weights = weights.slice(0, count);
    rest = NO_MASS;
  }
  if (minP > 0) {
    const count = weights.findIndex((weight) => weight < minP * weights[0]);
    if (count < 0 && rest.max > 0) return undefined;
    if (count >= 0) {
      weights = weights.slice(0, count);
      rest = NO_MASS;
    }
  }
  const sum = sumOf(weights);
  const at = indexOfPart(weights, uniform * (sum + rest.min));
  return at === indexOfPart(weights, uniform * (sum + rest.max)) ? seen[at]?.[0] : undefined;
}

function sumOf(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}

/** The smallest number of weights whose sum is at least `mass`; undefined when all are not enough. */
function reach(weights: readonly number[], mass: number): number | undefined {
  let sum = 0;
  for (let count = 0; count < weights.length; count++) if ((sum += weights[count]) >= mass) return count + 1;
  // All tokens together have the whole mass, regardless of rounding.
  return mass <= sum * (1 + 2 ** -40) ? weights.length : undefined;
}

/** Index of the weight within which a part of the sum ends; the number of weights if it ends after all. */
function indexOfPart(weights: readonly number[], part: number): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) if (part < (sum += weights[i])) return i;
  return weights.length;
}
