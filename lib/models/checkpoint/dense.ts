/**
 * A dense layer with its weights.
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
