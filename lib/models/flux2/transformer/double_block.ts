/**
 * A block with two streams, text and image, that meet in attention (Esser et al. 2024, section 4).
 *
 * @module
 */
import { add, concat, mul, slice, type Value } from "../../../compute/tensor/mod.ts";
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

/** The two streams, [M,D] and [N,D]. */
export interface Streams {
  readonly text: Value;
  /** References included. */
  readonly image: Value;
}

/** What one stream computes on its way, all [.,D]. */
export interface StreamValues {
  readonly attentionInput: Value;
  /** The attention after its output projection. */
  readonly attended: Value;
  readonly feedForwardInput: Value;
  readonly fedForward: Value;
  readonly output: Value;
}

/** What a block computes. */
export interface DoubleBlockValues {
  readonly text: StreamValues;
  readonly image: StreamValues;
  /** Over the sequence text, image. */
  readonly joint: AttentionValues;
}

/** Modulations of attention and feed-forward layer for each stream. */
export interface DoubleModulation {
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
