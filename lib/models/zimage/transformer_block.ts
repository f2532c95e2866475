/**
 * A block of the Z-Image transformer: norms before and after both branches, scaled and gated by the timestep or not.
 *
 * @module
 */
import { add, attention, mul, reshape, rmsNorm, rope, split, tanh, type Value } from "../../compute/tensor/mod.ts";
import { dense } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { ZImageTransformerConfig } from "./config.ts";

/** Rotary tables [N, headDim / 2]. */
export interface RotaryValues {
  readonly cos: Value;
  readonly sin: Value;
}

/**
 * x + gate * norm(attend(norm(x) * scale)), then the same with the feed-forward layer; x [N,D] -> [N,D].
 *
 * @param time The embedded timestep [1,T]; without one nothing is scaled or gated.
 */
export function transformerBlock(
  x: Value,
  tables: RotaryValues,
  config: ZImageTransformerConfig,
  weights: Weights,
  time?: Value,
): Value {
  const width = config.hiddenSize;
  const parts = time && split(dense(time, weights.at("adaLN_modulation.0")), [width, width, width, width], 1);
  const branch = (input: Value, index: number, name: string, inner: (y: Value) => Value): Value => {
    const [scale, gate] = parts?.slice(2 * index) ?? [];
    const normed = norm(input, weights.at(`${name}_norm1`), config);
    const output = norm(inner(scale ? mul(normed, add(scale, 1)) : normed), weights.at(`${name}_norm2`), config);
    return add(input, gate ? mul(output, tanh(gate)) : output);
  };
  const middle = branch(x, 0, "attention", (y) => attend(y, tables, config, weights.at("attention")));
  return branch(middle, 1, "ffn", (y) => feedForward(y, weights.at("feed_forward")));
}

/** Root-mean-square norm with its weight. */
export function norm(x: Value, weights: Weights, { normEps: eps }: ZImageTransformerConfig): Value {
  return rmsNorm(x, weights.in(x.graph, "weight"), { eps });
}

function attend(x: Value, { cos, sin }: RotaryValues, config: ZImageTransformerConfig, weights: Weights): Value {
  const heads = (name: string) => reshape(dense(x, weights.at(name)), [x.shape[0], config.numHeads, -1]);
  const rotated = (name: string) => rope(norm(heads(`to_${name}`), weights.at(`norm_${name}`), config), cos, sin);
  const mixed = attention(rotated("q"), rotated("k"), heads("to_v"));
  return dense(reshape(mixed, x.shape), weights.at("to_out.0"));
}

/** w2(silu(w1 x) * w3 x) (Shazeer 2020). */
function feedForward(x: Value, weights: Weights): Value {
  return dense(mul(dense(x, weights.at("w1"), "silu"), dense(x, weights.at("w3"))), weights.at("w2"));
}
