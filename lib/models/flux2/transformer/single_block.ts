/**
 * A block with one stream whose attention and feed-forward layer run side by side (Dehghani et al. 2023).
 *
 * @module
 */
import { add, concat, mul, type Value } from "../../../compute/tensor/mod.ts";
import { dense, denseRows } from "../../layers/dense.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import type { Flux2TransformerConfig } from "../config.ts";
import {
  attendAll,
  type AttentionValues,
  joinHeads,
  normHeads,
  type RotaryValues,
  splitHeads,
} from "./joint_attention.ts";
import { modulatedNorm, type Modulation } from "./modulation.ts";

/** What a block computes. */
export interface SingleBlockValues {
  /** The modulated norm, [N,D]. */
  readonly input: Value;
  readonly attention: AttentionValues;
  /** The feed-forward layer before its output projection, [N,F]. */
  readonly gated: Value;
  /** Both after their common output projection, before the gate, [N,D]. */
  readonly merged: Value;
  /** [N,D] */
  readonly output: Value;
}

/** x + gate * out(attention | silu(gate) * up); x [N,D] -> [N,D]. One weight holds the rows q, k, v, gate, up. */
export function singleBlock(
  x: Value,
  { shift, scale, gate }: Modulation,
  tables: RotaryValues,
  config: Flux2TransformerConfig,
  weights: Weights,
): SingleBlockValues {
  const { hiddenSize: width, feedForwardSize: size } = config;
  const attend = weights.at("attn");
  const input = modulatedNorm(x, scale, shift, config.normEps);
  const fused = attend.at("to_qkv_mlp_proj");
  const project = (index: number) => denseRows(input, fused, { start: index * width, count: width });
  const attention = attendAll(
    normHeads(project(0), attend.at("norm_q"), config),
    normHeads(project(1), attend.at("norm_k"), config),
    splitHeads(project(2), config),
    tables,
  );
  const gated = mul(
    denseRows(input, fused, { start: 3 * width, count: size }, "silu"),
    denseRows(input, fused, { start: 3 * width + size, count: size }),
  );
  const merged = dense(concat([joinHeads(attention.mixed), gated], 1), attend.at("to_out"));
  return { input, attention, gated, merged, output: add(x, mul(merged, gate)) };
}
