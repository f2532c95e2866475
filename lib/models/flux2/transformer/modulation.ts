/**
 * Modulation by the timestep (adaptive layer norm, Peebles and Xie 2023). FLUX.2 has one for all blocks of a kind.
 *
 * @module
 */
import { add, layerNorm, mul, silu, split, type Value } from "../../../compute/tensor/mod.ts";
import { dense } from "../../layers/dense.ts";
import type { Weights } from "../../checkpoint/weights.ts";

/** What the timestep does to one branch of a block, each [1,D]. */
export interface Modulation {
  readonly shift: Value;
  readonly scale: Value;
  readonly gate: Value;
}

/** Modulations of `branches` branches from an embedded timestep [1,D]; the layer gives shift, scale, gate for each. */
export function modulations(time: Value, weights: Weights, branches: number): Modulation[] {
  const [, width] = time.shape;
  const parts = split(dense(silu(time), weights.at("linear")), new Array(3 * branches).fill(width), 1);
  return Array.from({ length: branches }, (_, i) => {
    const [shift, scale, gate] = parts.slice(3 * i);
    return { shift, scale, gate };
  });
}

/** LN(x) * (1 + scale) + shift without parameters of its own; x [N,D] -> [N,D]. */
export function modulatedNorm(x: Value, scale: Value, shift: Value, eps: number): Value {
  return add(mul(layerNorm(x, undefined, undefined, eps), add(scale, 1)), shift);
}

/** Sinusoid [1,F] of a timestep -> embedding [1,D]. */
export function embedTime(sinusoid: Value, weights: Weights): Value {
  const embedder = weights.at("time_guidance_embed.timestep_embedder");
  return dense(dense(sinusoid, embedder.at("linear_1"), "silu"), embedder.at("linear_2"));
}
