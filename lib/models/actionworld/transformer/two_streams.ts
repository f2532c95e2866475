/**
 * One layer of the two streams (mixture of transformers, Liang et al. 2024): text attends to the text before it,
 * generated tokens attend to all text and to each other. Both have their own weights and meet in attention only.
 *
 * @module
 */
import {
  add,
  concat,
  f32,
  groupedAttention,
  mul,
  reshape,
  rmsNorm,
  rope,
  slice,
  square,
  toFloat32,
  type Value,
} from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { dense } from "../../layers/dense.ts";
import type { ActionTransformerConfig } from "../config.ts";

/** Activations may be 8 times as large before their squares exceed the range of 16-bit floats. */
const DAMPING = 1 / 8;

/** Rotary tables [N, headDim / 2]. */
export interface RotaryValues {
  readonly cos: Value;
  readonly sin: Value;
}

/** The keys and values of the text in one layer, both [L, key heads, headDim]. */
export interface TextKeysValues {
  /** Normed and rotated. */
  readonly k: Value;
  readonly v: Value;
}

/** The text as the generation stream sees it. */
export interface SeenText extends TextKeysValues {
  /** Added to the logits of all keys, the text's first: [1, L + G]. */
  readonly bias?: Value | undefined;
}

/** The outputs of the text stream in one layer. */
export interface TextLayerValues extends TextKeysValues {
  /** Attention before its output projection, [L, heads, headDim]. */
  readonly mixed: Value;
  /** [L,D] */
  readonly output: Value;
}

/** Rows of a stream, the last one excluded. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** The outputs of the generation stream in one layer. */
export interface GenerationLayerValues {
  /** Attention before its output projection, [G, heads, headDim]. */
  readonly mixed: Value;
  /** [G,D] */
  readonly output: Value;
}

/**
 * The text stream, x [L,D] with `mask` [L,L] added to its logits. Its keys exist twice: without a norm for its own
 * attention, with one for the other stream.
 */
export function textLayer(
  x: Value,
  tables: RotaryValues,
  mask: Value,
  config: ActionTransformerConfig,
  weights: Weights,
): TextLayerValues {
  const attend = weights.at("self_attn");
  const normed = streamNorm(x, weights.at("input_layernorm"), config);
  const [q, k, v] = ["to_q", "to_k", "to_v"].map((name) => heads(dense(normed, attend.at(name)), config));
  const mixed = groupedAttention(rotate(q, tables), rotate(k, tables), v, { bias: mask });
  const seen = rotate(streamNorm(k, attend.at("k_norm_und_for_gen"), config), tables);
  const middle = add(x, dense(joinHeads(mixed), attend.at("to_out")));
  const fed = normedFeedForward(middle, weights.at("post_attention_layernorm"), weights.at("mlp"), config);
  return { k: seen, v, mixed, output: add(middle, fed) };
}

/**
 * The generation stream, x [G,D], conditioned on the text. All tokens are keys; with `wanted`, only these rows are
 * queries and have an output, which is all that the last layer needs.
 */
export function generationLayer(
  x: Value,
  text: SeenText,
  tables: RotaryValues,
  config: ActionTransformerConfig,
  weights: Weights,
  wanted: RowRange = { start: 0, end: x.shape[0] },
): GenerationLayerValues {
  const attend = weights.at("self_attn");
  const rows = (y: Value) => slice(y, { axis: 0, ...wanted });
  const normed = streamNorm(x, weights.at("input_layernorm_moe_gen"), config);
  const project = (y: Value, name: string) => heads(dense(y, attend.at(name)), config);
  const normHeads = (y: Value, name: string) => streamNorm(y, attend.at(name), config);
  const q = normHeads(project(rows(normed), "add_q_proj"), "norm_added_q");
  const k = normHeads(project(normed, "add_k_proj"), "norm_added_k");
  const mixed = groupedAttention(
    rotate(q, { cos: rows(tables.cos), sin: rows(tables.sin) }),
    concat([text.k, rotate(k, tables)], 0),
    concat([text.v, project(normed, "add_v_proj")], 0),
    { bias: text.bias },
  );
  const middle = add(rows(x), dense(joinHeads(mixed), attend.at("to_add_out")));
  const norm = weights.at("post_attention_layernorm_moe_gen");
  return { mixed, output: add(middle, normedFeedForward(middle, norm, weights.at("mlp_moe_gen"), config)) };
}

/** The norm of the streams and, over the channels of a head, of queries and keys. */
export function streamNorm(x: Value, weights: Weights, config: ActionTransformerConfig): Value {
  return rmsNorm(x, weights.in(x.graph, "weight"), { eps: config.normEps });
}

/** down(max(up(x), 0)^2) (So et al. 2021, "Primer"). */
export function feedForward(x: Value, weights: Weights): Value {
  return dense(square(dense(x, weights.at("up_proj"), "relu")), weights.at("down_proj"));
}

/**
 * The feed-forward layer after its norm. Its squares may leave the range of 16-bit floats, so the norm's weight is
 * made smaller by {@linkcode DAMPING} and the result larger by its square: powers of two, exact in 32 bits.
 */
function normedFeedForward(x: Value, norm: Weights, layer: Weights, config: ActionTransformerConfig): Value {
  const weight = norm.get("weight");
  const damped = x.graph.constant(f32(weight.shape, toFloat32(weight).map((w) => w * DAMPING)));
  return mul(feedForward(rmsNorm(x, damped, { eps: config.normEps }), layer), DAMPING ** -2);
}

function rotate(x: Value, { cos, sin }: RotaryValues): Value {
  return rope(x, cos, sin, "halves");
}

/** [N, H * headDim] -> [N, H, headDim] */
function heads(x: Value, { headDim }: ActionTransformerConfig): Value {
  return reshape(x, [x.shape[0], -1, headDim]);
}

function joinHeads(x: Value): Value {
  return reshape(x, [x.shape[0], -1]);
}
