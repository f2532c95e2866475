/**
 * Group norm (Wu and He 2018).
 *
 * @module
 */
import { add, layerNorm, mul, reshape, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";

/** Channels in groups, each normalised over its channels and pixels; `weight` and `bias` [C]; x [N,C,H,W] -> same. */
export function groupNorm(x: Value, weights: Weights, groups: number, eps: number): Value {
  const g = x.graph;
  const c = x.shape[1];
  const rows = layerNorm(reshape(x, [x.shape[0], groups, -1]), undefined, undefined, eps);
  const column = [c, ...x.shape.slice(2).map(() => 1)];
  return add(mul(reshape(rows, x.shape), weights.in(g, "weight", column)), weights.in(g, "bias", column));
}
