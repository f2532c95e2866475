/**
 * Reads the `config.json` of a Qwen3 checkpoint.
 *
 * @module
 */
import * as v from "valibot";
import { checkConfig, positive, size } from "../checkpoint/model_errors.ts";
import type { Qwen3Config } from "./config.ts";

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
