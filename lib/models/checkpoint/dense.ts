/**
 * Dense layers with their weights, quantised or not.
 *
 * @module
 */
import { type Activation, linear, quantizedLinear, type Value } from "../../compute/tensor/mod.ts";
import { isQuantized, type StoredWeight } from "./stored_weight.ts";
import type { Weights } from "./weights.ts";

/** x [..,K] through `weight` [N,K] and, where the model has one, `bias` [N] -> [..,N]. */
export function dense(x: Value, weights: Weights, activation?: Activation): Value {
  const bias = weights.has("bias") ? weights.in(x.graph, "bias") : undefined;
  return multiply(x, weights.matrix("weight"), bias, activation);
}

/** A range of a weight's rows. */
export interface WeightRows {
  readonly start: number;
  readonly count: number;
}

/** A part of a layer without bias: x [..,K] through some rows of `weight` [N,K] -> [..,count]. */
export function denseRows(x: Value, weights: Weights, { start, count }: WeightRows, activation?: Activation): Value {
  return multiply(x, weights.rows("weight", start, count), undefined, activation);
}

function multiply(x: Value, weight: StoredWeight, bias?: Value, activation?: Activation): Value {
  return isQuantized(weight)
    ? quantizedLinear(x, weight, bias, activation)
    : linear(x, x.graph.constant(weight), bias, activation);
}
