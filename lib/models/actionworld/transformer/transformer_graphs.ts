/**
 * The programs of the transformer: the text stream, once per prompt, and the velocity of a clip, once per denoising
 * step.
 *
 * @module
 */
import { concat, f32, Graph, type Value } from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { dense } from "../../layers/dense.ts";
import type { LatentSize } from "../../video_vae/latents.ts";
import { type ActionTransformerConfig, CAMERA_POSE_NUMBERS, TIME_CHANNELS } from "../config.ts";
import { clipTokens, embedActions, embedTime, patchesOf, unpackLatents } from "./clip_tokens.ts";
import {
  generationLayer,
  type GenerationLayerValues,
  type RotaryValues,
  type RowRange,
  type SeenText,
  streamNorm,
  textLayer,
  type TextLayerValues,
} from "./two_streams.ts";

/** Added to the logits of masked keys; within the range of 16-bit floats. */
export const UNSEEN = -30000;

/** A clip to be generated. */
export interface ClipSize extends LatentSize {
  /** Latent frames, including the known first one. */
  readonly frames: number;
}

/** All layers of the text stream over token embeddings [L,D]. */
export function textStream(
  rows: Value,
  tables: RotaryValues,
  config: ActionTransformerConfig,
  weights: Weights,
): readonly TextLayerValues[] {
  const [length] = rows.shape;
  const mask = rows.graph.constant(f32([length, length], causalMask(length)));
  const layers: TextLayerValues[] = [];
  let x = rows;
  for (let i = 0; i < config.numLayers; i++) {
    const layer = textLayer(x, tables, mask, config, weights.at(`layers.${i}`));
    layers.push(layer);
    x = layer.output;
  }
  return layers;
}

/** All layers of the generation stream [G,D]; of the last one only the `wanted` rows where they are given. */
export function generationStream(
  stream: Value,
  text: readonly SeenText[],
  tables: RotaryValues,
  config: ActionTransformerConfig,
  weights: Weights,
  wanted?: RowRange,
): readonly GenerationLayerValues[] {
  const layers: GenerationLayerValues[] = [];
  let x = stream;
  for (let i = 0; i < config.numLayers; i++) {
    const last = i === config.numLayers - 1 ? wanted : undefined;
    const layer = generationLayer(x, text[i], tables, config, weights.at(`layers.${i}`), last);
    layers.push(layer);
    x = layer.output;
  }
  return layers;
}

/** The rows of all frames but the first in the generation stream of a clip. */
export function noisyRows(size: ClipSize, config: ActionTransformerConfig): RowRange {
  const perFrame = patchesOf(size.height, config.patchSize) * patchesOf(size.width, config.patchSize);
  return { start: perFrame, end: size.frames * perFrame };
}

/** Velocity noise - clean of all frames but the first, from {@linkcode noisyRows} of the last layer: -> [F-1,C,h,w]. */
export function velocityOf(noisy: Value, size: LatentSize, config: ActionTransformerConfig, weights: Weights): Value {
  const patches = dense(streamNorm(noisy, weights.at("norm_moe_gen"), config), weights.at("proj_out"));
  return unpackLatents(patches, size.height, size.width, config.patchSize);
}

/**
 * The text stream of `length` tokens. Inputs: `rows` [length,D], `cos` and `sin` [length, headDim / 2]. Outputs
 * `text.k.<layer>` and `text.v.<layer>` [length, key heads, headDim].
 */
export function textGraph(config: ActionTransformerConfig, weights: Weights, length: number): Graph {
  const graph = new Graph();
  const tables = tableInputs(graph, config, length);
  const rows = graph.input("rows", [length, config.hiddenSize]);
  textStream(rows, tables, config, weights).forEach(({ k, v }, layer) => {
    graph.output(`text.k.${layer}`, k);
    graph.output(`text.v.${layer}`, v);
  });
  return graph;
}

/** The text tokens that a {@linkcode velocityGraph} takes. */
export interface TextSlots {
  /** How many. */
  readonly count: number;
  /** Whether the last ones may be empty. */
  readonly padded?: boolean;
}

/**
 * The velocity of a clip after text tokens.
 *
 * Inputs: `clean` [1,C,h,w], `noisy` [F-1,C,h,w]; `sinusoid` [1,256] of the timestep; `actions` [A,9] with A frames of
 * pixels but the first; `cos`, `sin` [G, headDim / 2] of the G generated tokens; `text.k.<layer>`, `text.v.<layer>`;
 * where slots may be empty, `textBias` [1, L + G], which hides them.
 * Output: `velocity` [F-1,C,h,w].
 */
export function velocityGraph(
  config: ActionTransformerConfig,
  weights: Weights,
  size: ClipSize,
  { count: slots, padded = false }: TextSlots,
  domain: number,
): Graph {
  const graph = new Graph();
  const latents = (name: string, frames: number) =>
    graph.input(name, [frames, config.latentChannels, size.height, size.width]);
  const clip = concat([latents("clean", 1), latents("noisy", size.frames - 1)], 0);
  const time = embedTime(graph.input("sinusoid", [1, TIME_CHANNELS]), weights.at("time_embedder"));
  const actions = graph.input("actions", [actionCount(size, config), CAMERA_POSE_NUMBERS]);
  const { stream } = clipTokens(clip, time, embedActions(actions, domain, weights), config, weights);
  const [count] = stream.shape;
  const shape = [slots, config.numKeyHeads, config.headDim];
  const bias = padded ? graph.input("textBias", [1, slots + count]) : undefined;
  const text = Array.from({ length: config.numLayers }, (_, layer) => ({
    k: graph.input(`text.k.${layer}`, shape),
    v: graph.input(`text.v.${layer}`, shape),
    bias,
  }));
  const tables = tableInputs(graph, config, count);
  const layers = generationStream(stream, text, tables, config, weights, noisyRows(size, config));
  graph.output("velocity", velocityOf(layers[config.numLayers - 1].output, size, config, weights));
  return graph;
}

/** Actions of a clip: one for every frame of pixels but the first. */
export function actionCount(size: ClipSize, config: ActionTransformerConfig): number {
  return (size.frames - 1) * config.framesPerLatent;
}

function tableInputs(graph: Graph, config: ActionTransformerConfig, count: number): RotaryValues {
  const shape = [count, config.headDim / 2];
  return { cos: graph.input("cos", shape), sin: graph.input("sin", shape) };
}

/** 0 where a row may attend, else {@linkcode UNSEEN}. */
function causalMask(length: number): Float32Array {
  return Float32Array.from(
    { length: length * length },
    (_, i) => i % length <= Math.floor(i / length) ? 0 : UNSEEN,
  );
}
