/**
 * Dense layers with their weights.
 *
 * @module
 */
import { type Activation, linear, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "./weights.ts";

/** x [..,K] through `weight` [N,K] and, where the model has one, `bias` [N] -> [..,N]. */
export function dense(x: Value, weights: Weights, activation?: Activation): Value {
  const bias = weights.has("bias") ? weights.in(x.graph, "bias") : undefined;
  return linear(x, weights.in(x.graph, "weight"), bias, activation);
}

/** A range of a weight's rows. */
export interface WeightRows {
  readonly start: number;
  readonly count: number;
}

/** A part of a layer without bias: x [..,K] through some rows of `weight` [N,K] -> [..,count]. */
export function denseRows(x: Value, weights: Weights, { start, count }: WeightRows, activation?: Activation): Value {
  return linear(x, x.graph.constant(weights.rows("weight", start, count)), undefined, activation);
}
