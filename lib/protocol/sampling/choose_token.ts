/**
 * Chooses the next token, with random numbers that can be recomputed from their index.
 *
 * @module
 */
import { policyLogits, type SamplingSettings, type TokenHistory } from "./policy_logits.ts";
import { type TokenDistribution, tokenDistribution, type Truncation, WHOLE } from "./token_distribution.ts";

/** A chosen token, and the distribution it was chosen from. */
export interface ChosenToken {
  readonly id: number;
  /** Logits after penalties, bias, mask and temperature. */
  readonly logits: Float32Array;
  /** The tokens that could be chosen; at temperature 0 all allowed ones. */
  readonly truncation: Truncation;
}

/**
 * Chooses the next token.
 *
 * @param raw Logits of the vocabulary.
 * @param uniform A number in [0, 1), such as from {@linkcode uniformAt}; ignored at temperature 0.
 * @param mask Allowed tokens, one bit each, the lowest bit of the first word first; undefined allows all.
 * @throws {RangeError} when no token can be chosen.
 *
 * @example
 * ```ts
 * import { chooseToken, NEUTRAL_SAMPLING, TokenHistory, uniformAt } from "../mod.ts";
 * const logits = new Float32Array([0, 3, 1]);
 * const settings = { ...NEUTRAL_SAMPLING, topK: 1 };
 * const { id } = chooseToken(logits, settings, new TokenHistory([]), uniformAt(7, 0));
 * console.assert(id === 1);
 * ```
 */
export function chooseToken(
  raw: Float32Array,
  settings: SamplingSettings,
  history: TokenHistory,
  uniform: number,
  mask?: Int32Array,
): ChosenToken {
  const logits = policyLogits(raw, settings, history, mask);
  if (settings.temperature === 0) return { id: largestAt(logits), logits, truncation: WHOLE };
  return { id: draw(tokenDistribution(logits, settings), uniform), logits, truncation: settings };
}

function largestAt(logits: Float32Array): number {
  let best = 0;
  let largest = -Infinity;
  for (let id = 0; id < logits.length; id++) if (logits[id] > largest) largest = logits[best = id];
  if (Number.isFinite(largest)) return best;
  throw new RangeError(`Cannot choose a token: the largest logit is ${largest}, expected a finite number`);
}

/** Inverts the cumulative distribution, in the order of the ids. */
function draw({ ids, weights, total }: TokenDistribution, uniform: number): number {
  const target = uniform * total;
  let sum = 0;
  for (let i = 0; i < ids.length - 1; i++) {
    sum += weights[i];
    if (target < sum) return ids[i];
  }
  return ids[ids.length - 1];
}

const MASK = (1n << 64n) - 1n;

/** The output function of SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"). */
function mix(word: bigint): bigint {
  word = ((word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  word = ((word ^ (word >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return word ^ (word >> 31n);
}

/**
 * A uniform number in [0, 1) with 53 random bits.
 *
 * @param seed Seeds are mixed first, so that the sequences of adjacent seeds are unrelated.
 * @param index Index in the sequence, such as the position of the token that it chooses.
 */
export function uniformAt(seed: number | bigint, index: number): number {
  const start = mix((BigInt(seed) + 0x9e3779b97f4a7c15n) & MASK);
  const word = mix((start + BigInt(index + 1) * 0x9e3779b97f4a7c15n) & MASK);
  return Number(word >> 11n) * 2 ** -53;
}
