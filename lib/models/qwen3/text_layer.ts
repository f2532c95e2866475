/**
 * One layer of Qwen3 (Yang et al. 2025): pre-norm, grouped-query attention with a norm of every head of the queries and
 * keys, gated feed-forward layer, no biases.
 *
 * @module
 */
import { add, groupedAttention, mul, reshape, rmsNorm, rope, type Value } from "../../compute/tensor/mod.ts";
import { dense } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { Qwen3Config } from "./config.ts";

/** What attention needs besides the tokens. */
export interface Qwen3Positions {
  /** [L, headDim / 2] */
  readonly cos: Value;
  /** [L, headDim / 2] */
  readonly sin: Value;
  /** Added to the logits, [L,L]: 0 where the query may see the key, very negative elsewhere. */
  readonly mask: Value;
}

/** What one layer computes on its way, all [L,D]. */
export interface Qwen3LayerValues {
  /** The norm before the attention. */
  readonly attentionInput: Value;
  /** The attention after its output projection. */
  readonly attended: Value;
  /** The norm before the feed-forward layer. */
  readonly feedForwardInput: Value;
  /** The feed-forward layer. */
  readonly fedForward: Value;
  /** The residual stream behind the layer. */
  readonly output: Value;
}

/** x + attend(norm(x)), then x + down(silu(gate(n)) * up(n)) with n = norm(x); x [L,D] -> [L,D]. */
export function qwen3Layer(
  x: Value,
  positions: Qwen3Positions,
  config: Qwen3Config,
  weights: Weights,
): Qwen3LayerValues {
  const norm = (y: Value, name: string, branch = weights) =>
    rmsNorm(y, branch.in(x.graph, `${name}.weight`), { eps: config.normEps });
  const attend = weights.at("self_attn");
  const attentionInput = norm(x, "input_layernorm");
  const [length] = x.shape;
  const heads = (name: string) =>
    reshape(dense(attentionInput, attend.at(`${name}_proj`)), [length, -1, config.headDim]);
  const rotated = (name: string) =>
    rope(norm(heads(name), `${name}_norm`, attend), positions.cos, positions.sin, "halves");
  const mixed = groupedAttention(rotated("q"), rotated("k"), heads("v"), { bias: positions.mask });
  const attended = dense(reshape(mixed, [length, -1]), attend.at("o_proj"));
  const middle = add(x, attended);

  const mlp = weights.at("mlp");
  const feedForwardInput = norm(middle, "post_attention_layernorm");
  const gated = mul(dense(feedForwardInput, mlp.at("gate_proj"), "silu"), dense(feedForwardInput, mlp.at("up_proj")));
  const fedForward = dense(gated, mlp.at("down_proj"));
  return { attentionInput, attended, feedForwardInput, fedForward, output: add(middle, fedForward) };
}
