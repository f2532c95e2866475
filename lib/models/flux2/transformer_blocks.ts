/**
 * The blocks of the FLUX.2 transformer: first those with two streams, text and image, that meet in attention (Esser et
 * al. 2024, section 4), then those with one stream; their attention, and what the timestep does to them.
 *
 * @module
 */
import {
  add,
  attention,
  concat,
  layerNorm,
  mul,
  reshape,
  rmsNorm,
  rope,
  silu,
  slice,
  split,
  type Value,
} from "../../compute/tensor/mod.ts";
import { dense, denseRows } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { Flux2TransformerConfig } from "./config.ts";

/** The two streams, [M,D] and [N,D]. */
export interface Streams {
  readonly text: Value;
  /** References included. */
  readonly image: Value;
}

/** What one stream computes on its way, all [.,D]. */
interface StreamValues {
  readonly attentionInput: Value;
  /** The attention after its output projection. */
  readonly attended: Value;
  readonly feedForwardInput: Value;
  readonly fedForward: Value;
  readonly output: Value;
}

/** What a block computes. */
interface DoubleBlockValues {
  readonly text: StreamValues;
  readonly image: StreamValues;
  /** Over the sequence text, image. */
  readonly joint: AttentionValues;
}

/** Modulations of attention and feed-forward layer for each stream. */
interface DoubleModulation {
  readonly text: readonly Modulation[];
  readonly image: readonly Modulation[];
}

/** Weight names of a stream's projections. */
const projections = {
  text: {
    q: "add_q_proj",
    k: "add_k_proj",
    v: "add_v_proj",
    out: "to_add_out",
    normQ: "norm_added_q",
    normK: "norm_added_k",
  },
  image: { q: "to_q", k: "to_k", v: "to_v", out: "to_out.0", normQ: "norm_q", normK: "norm_k" },
} as const;

/** Both streams through attention and their feed-forward layers, each gated by the timestep. */
export function doubleBlock(
  { text, image }: Streams,
  modulation: DoubleModulation,
  tables: RotaryValues,
  config: Flux2TransformerConfig,
  weights: Weights,
): DoubleBlockValues {
  const attend = weights.at("attn");
  const inputs = {
    text: modulatedInput(text, modulation.text[0], config),
    image: modulatedInput(image, modulation.image[0], config),
  };
  const parts = (["text", "image"] as const).map((stream) => {
    const { q, k, v, normQ, normK } = projections[stream];
    const project = (name: string) => dense(inputs[stream], attend.at(name));
    return [
      normHeads(project(q), attend.at(normQ), config),
      normHeads(project(k), attend.at(normK), config),
      splitHeads(project(v), config),
    ];
  });
  const [q, k, v] = [0, 1, 2].map((i) => concat(parts.map((part) => part[i]), 0));
  const joint = attendAll(q, k, v, tables);
  const mixed = joinHeads(joint.mixed);
  const stream = (name: "text" | "image", x: Value, from: number, feedForward: string): StreamValues => {
    const [first, second] = modulation[name];
    const attended = dense(
      slice(mixed, { axis: 0, start: from, end: from + x.shape[0] }),
      attend.at(projections[name].out),
    );
    const middle = add(x, mul(attended, first.gate));
    const feedForwardInput = modulatedInput(middle, second, config);
    const fedForward = gatedFeedForward(feedForwardInput, config, weights.at(feedForward));
    const output = add(middle, mul(fedForward, second.gate));
    return { attentionInput: inputs[name], attended, feedForwardInput, fedForward, output };
  };
  return {
    text: stream("text", text, 0, "ff_context"),
    image: stream("image", image, text.shape[0], "ff"),
    joint,
  };
}

/** out(silu(gate(x)) * up(x)); the gate's rows of the weight come first (Shazeer 2020). */
function gatedFeedForward(x: Value, { feedForwardSize: size }: Flux2TransformerConfig, weights: Weights): Value {
  const layer = weights.at("linear_in");
  const gate = denseRows(x, layer, { start: 0, count: size }, "silu");
  return dense(mul(gate, denseRows(x, layer, { start: size, count: size })), weights.at("linear_out"));
}

function modulatedInput(x: Value, { scale, shift }: Modulation, config: Flux2TransformerConfig): Value {
  return modulatedNorm(x, scale, shift, config.normEps);
}

/** What a block computes. */
interface SingleBlockValues {
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

/** Rotary tables [N, headDim / 2] of the sequence text, image, references. */
export interface RotaryValues {
  readonly cos: Value;
  readonly sin: Value;
}

/** Queries, keys and values of one sequence and what they make, all [N, heads, headDim]. */
interface AttentionValues {
  /** Normed and rotated. */
  readonly q: Value;
  /** Normed and rotated. */
  readonly k: Value;
  readonly v: Value;
  readonly mixed: Value;
}

/** [N, heads * headDim] -> [N, heads, headDim] */
function splitHeads(x: Value, { numHeads, headDim }: Flux2TransformerConfig): Value {
  return reshape(x, [x.shape[0], numHeads, headDim]);
}

/** [N, heads, headDim] -> [N, heads * headDim] */
function joinHeads(x: Value): Value {
  return reshape(x, [x.shape[0], -1]);
}

/** The norm of the queries or keys of every head. */
function normHeads(x: Value, weights: Weights, config: Flux2TransformerConfig): Value {
  return rmsNorm(splitHeads(x, config), weights.in(x.graph, "weight"), { eps: config.normEps });
}

/** Rotates normed queries and keys and attends over the whole sequence. */
function attendAll(q: Value, k: Value, v: Value, { cos, sin }: RotaryValues): AttentionValues {
  const [turnedQ, turnedK] = [rope(q, cos, sin), rope(k, cos, sin)];
  return { q: turnedQ, k: turnedK, v, mixed: attention(turnedQ, turnedK, v) };
}

/** What the timestep does to one branch of a block, each [1,D]. */
interface Modulation {
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
