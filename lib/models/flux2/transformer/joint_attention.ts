/**
 * Pieces of attention that both kinds of blocks share.
 *
 * @module
 */
import { attention, reshape, rmsNorm, rope, type Value } from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import type { Flux2TransformerConfig } from "../config.ts";

/** Rotary tables [N, headDim / 2] of the sequence text, image, references. */
export interface RotaryValues {
  readonly cos: Value;
  readonly sin: Value;
}

/** Queries, keys and values of one sequence and what they make, all [N, heads, headDim]. */
export interface AttentionValues {
  /** Normed and rotated. */
  readonly q: Value;
  /** Normed and rotated. */
  readonly k: Value;
  readonly v: Value;
  readonly mixed: Value;
}

/** [N, heads * headDim] -> [N, heads, headDim] */
export function splitHeads(x: Value, { numHeads, headDim }: Flux2TransformerConfig): Value {
  return reshape(x, [x.shape[0], numHeads, headDim]);
}

/** [N, heads, headDim] -> [N, heads * headDim] */
export function joinHeads(x: Value): Value {
  return reshape(x, [x.shape[0], -1]);
}

/** The norm of the queries or keys of every head. */
export function normHeads(x: Value, weights: Weights, config: Flux2TransformerConfig): Value {
  return rmsNorm(splitHeads(x, config), weights.in(x.graph, "weight"), { eps: config.normEps });
}

/** Rotates normed queries and keys and attends over the whole sequence. */
export function attendAll(q: Value, k: Value, v: Value, { cos, sin }: RotaryValues): AttentionValues {
  const [turnedQ, turnedK] = [rope(q, cos, sin), rope(k, cos, sin)];
  return { q: turnedQ, k: turnedK, v, mixed: attention(turnedQ, turnedK, v) };
}
