/**
 * Layer norm with its weights.
 *
 * @module
 */
import { layerNorm, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";

/** Layer norm over the last axis with `weight` and `bias` [C]. */
export function weightedNorm(x: Value, weights: Weights, eps: number): Value {
  return layerNorm(x, weights.in(x.graph, "weight"), weights.in(x.graph, "bias"), eps);
}
