/**
 * What a Qwen3 text encoder looks like: its sizes, how they are read from its configuration, and its weights.
 *
 * @module
 */
import * as v from "valibot";
import type { Shape } from "../../compute/tensor/mod.ts";
import { checkConfig, positive, size } from "../checkpoint/model_errors.ts";
import type { TensorShapes } from "../checkpoint/weights.ts";

/** Widths and depths of a Qwen3 transformer. */
export interface Qwen3Config {
  /** Rows of the token embedding. */
  readonly vocab: number;
  /** Width of the residual stream. */
  readonly hiddenSize: number;
  /** Width inside the feed-forward layers. */
  readonly intermediateSize: number;
  /** Layers in the checkpoint; a text encoder may need fewer. */
  readonly numLayers: number;
  /** Query heads. */
  readonly numHeads: number;
  /** Heads of keys and values, a divisor of the query heads. */
  readonly numKeyHeads: number;
  /** Channels of a head; heads together may be wider than the residual stream. */
  readonly headDim: number;
  /** Added to the mean square in every norm. */
  readonly normEps: number;
  /** Base of the rotary frequencies. */
  readonly ropeTheta: number;
}

const schema = v.object({
  model_type: v.optional(v.literal("qwen3")),
  vocab_size: size,
  hidden_size: size,
  intermediate_size: size,
  num_hidden_layers: size,
  num_attention_heads: size,
  num_key_value_heads: size,
  head_dim: v.pipe(size, v.multipleOf(2)),
  hidden_act: v.optional(v.literal("silu")),
  attention_bias: v.optional(v.literal(false)),
  rms_norm_eps: positive,
  rope_theta: v.optional(positive),
  rope_scaling: v.nullish(v.null()),
  // Newer versions of the format keep the base of the rotary frequencies here.
  rope_parameters: v.optional(v.object({ rope_theta: positive, rope_type: v.optional(v.literal("default")) })),
  use_sliding_window: v.optional(v.literal(false)),
});

/** The configuration, or `undefined` with one sentence for every wrong field added to `problems`. */
export function parseQwen3Config(file: string, json: unknown, problems: string[]): Qwen3Config | undefined {
  const c = checkConfig(file, schema, json, problems);
  if (!c) return undefined;
  const ropeTheta = c.rope_theta ?? c.rope_parameters?.rope_theta;
  if (ropeTheta === undefined) {
    problems.push(`${file}: rope_theta is missing, expected a positive number`);
    return undefined;
  }
  if (c.num_attention_heads % c.num_key_value_heads !== 0) {
    problems.push(
      `${file}: num_key_value_heads is ${c.num_key_value_heads}, ` +
        `expected a divisor of num_attention_heads ${c.num_attention_heads}`,
    );
    return undefined;
  }
  return {
    vocab: c.vocab_size,
    hiddenSize: c.hidden_size,
    intermediateSize: c.intermediate_size,
    numLayers: c.num_hidden_layers,
    numHeads: c.num_attention_heads,
    numKeyHeads: c.num_key_value_heads,
    headDim: c.head_dim,
    normEps: c.rms_norm_eps,
    ropeTheta,
  };
}

/**
 * The token embedding and the first `layers` layers. A text encoder that takes hidden states needs neither the layers
 * after the last of them nor the last norm; the language head is tied to the embedding and not stored.
 */
export function qwen3Shapes(c: Qwen3Config, layers: number = c.numLayers): TensorShapes {
  const [queries, keys] = [c.numHeads * c.headDim, c.numKeyHeads * c.headDim];
  const shapes = new Map<string, Shape>([["model.embed_tokens.weight", [c.vocab, c.hiddenSize]]]);
  for (let i = 0; i < layers; i++) {
    const layer: Record<string, Shape> = {
      "self_attn.q_proj": [queries, c.hiddenSize],
      "self_attn.k_proj": [keys, c.hiddenSize],
      "self_attn.v_proj": [keys, c.hiddenSize],
      "self_attn.o_proj": [c.hiddenSize, queries],
      "self_attn.q_norm": [c.headDim],
      "self_attn.k_norm": [c.headDim],
      "mlp.gate_proj": [c.intermediateSize, c.hiddenSize],
      "mlp.up_proj": [c.intermediateSize, c.hiddenSize],
      "mlp.down_proj": [c.hiddenSize, c.intermediateSize],
      "input_layernorm": [c.hiddenSize],
      "post_attention_layernorm": [c.hiddenSize],
    };
    for (const [name, shape] of Object.entries(layer)) shapes.set(`model.layers.${i}.${name}.weight`, shape);
  }
  if (layers === c.numLayers) shapes.set("model.norm.weight", [c.hiddenSize]);
  return shapes;
}
