/**
 * The programs of the transformer: a denoising step, the context pass, and one-time computations.
 *
 * @module
 */
import { Graph, mul, pad, type Value } from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import type { LatentSize } from "../../video_vae/latents.ts";
import { contextBlocks, type TextEncoderConfig, type TransformerConfig } from "../config.ts";
import { drawTowards } from "../latent_memory.ts";
import { predictClean, renoise } from "../sampling/sampler_math.ts";
import { encodeText } from "../text/text_encoder.ts";
import { LATENTS_PER_BLOCK } from "../trajectory.ts";
import { embedContext, joinPast, type KeysValues, keysValues } from "./attention.ts";
import { timeModulation } from "./causal_block.ts";
import { contextPass, transformer, type TransformerInputs } from "./transformer.ts";
import { blockRope, type GridSize, windowRope } from "./window_inputs.ts";

/**
 * One step of the sampler. Noise levels are given for each frame, so that a frame that is known (level 0 from the
 * start) stays as it is. Frames with an anchor are drawn towards it before they get new noise.
 *
 * Inputs: `latents`, `noise`, `anchor` [3,z,h,w]; `sigma`, `nextSigma`, `anchorKeep`, `anchorStrength` [3,1,1,1];
 * `modulation.<layer>`, `modulation.head`; where there are `context` blocks, `past.k.<layer>`, `past.v.<layer>` of
 * {@linkcode pastGraph}; `text.k.<layer>`, `text.v.<layer>`; the camera matrices.
 * Output: `latents` [3,z,h,w] = (1 - nextSigma) * clean + nextSigma * noise with
 * clean = anchorKeep * (latents - sigma * velocity) + anchorStrength * anchor.
 */
export function denoiseGraph(config: TransformerConfig, weights: Weights, context: number, size: LatentSize): Graph {
  const graph = new Graph();
  const latents = latentInput(graph, "latents", config, size);
  const { velocity } = transformer(latents, joinedInputs(graph, config, context, size), config, weights);
  outputDenoised(graph, latents, velocity, config, size);
  return graph;
}

/** The latents after a step, from the velocity. */
export function outputDenoised(
  graph: GraphNames,
  latents: Value,
  velocity: Value,
  config: TransformerConfig,
  size: LatentSize,
): void {
  const level = [LATENTS_PER_BLOCK, 1, 1, 1];
  const clean = predictClean(latents, velocity, graph.input("sigma", level));
  const noise = latentInput(graph, "noise", config, size);
  graph.output("latents", renoise(drawTowards(clean, graph), noise, graph.input("nextSigma", level)));
}

/** Where inputs and outputs are named: a graph, or one world's part of the names of one. */
export type GraphNames = Pick<Graph, "input" | "output">;

/**
 * The pass over clean latents that fills the caches. Inputs as in {@linkcode denoiseGraph} less noise, anchors and their
 * levels; outputs `own.k.<layer>`, `own.v.<layer>` [L,H,D/H].
 */
export function contextGraph(config: TransformerConfig, weights: Weights, context: number, size: LatentSize): Graph {
  const graph = new Graph();
  const latents = latentInput(graph, "latents", config, size);
  outputCache(graph, "own", contextPass(latents, joinedInputs(graph, config, context, size), config, weights));
  return graph;
}

/**
 * What all passes of a block see of the `context` committed blocks in its window: the blocks move within the window only
 * from one block to the next.
 *
 * Inputs: `context<block>.k.<layer>`, `context<block>.v.<layer>` [L,H,D/H], oldest block first. Outputs:
 * `past.k.<layer>`, rotated, and `past.v.<layer>`, [context*L,H,D/H].
 */
export function pastGraph(config: TransformerConfig, context: number, size: LatentSize): Graph {
  const graph = new Graph();
  const tables = blockRope(graph, config, 0, gridOf(size), context);
  outputCache(graph, "past", contextInputs(graph, config, context, size).map((blocks) => joinPast(blocks, tables)));
  return graph;
}

/**
 * Both passes, after any number of committed blocks up to that of a full window: one program in place of eight.
 * Positions count within the window and only their differences matter, so blocks stand at its end and the slots before
 * them are hidden.
 *
 * Inputs as in {@linkcode denoiseGraph}, but the blocks of a full window one by one (`context<block>.k.<layer>`,
 * `context<block>.v.<layer>`), and `windowBias` [1,1,Lk]. Outputs `latents` and
 * `own.k.<layer>`, `own.v.<layer>`.
 */
export function allPassesGraph(config: TransformerConfig, weights: Weights, size: LatentSize): Graph {
  const graph = new Graph();
  const blocks = contextBlocks(config);
  const tokens = blockTokens(size);
  const windowBias = graph.input("windowBias", [1, 1, (blocks + 1) * tokens]);
  const latents = latentInput(graph, "latents", config, size);
  const past = contextInputs(graph, config, blocks, size);
  const rope = windowRope(graph, config, blocks, gridOf(size));
  const inputs = { ...passInputs(graph, config), past, rope, windowBias };
  const { velocity, own } = transformer(latents, inputs, config, weights);
  outputDenoised(graph, latents, velocity, config, size);
  outputCache(graph, "own", own);
  return graph;
}

/** `sinusoid` [F,freq_dim] -> `modulation.<layer>` [6,F,1,D] and `modulation.head` [2,F,1,D]. */
export function modulationGraph(config: TransformerConfig, weights: Weights): Graph {
  const graph = new Graph();
  const sinusoid = graph.input("sinusoid", [LATENTS_PER_BLOCK, config.freqDim]);
  const { layers, head } = timeModulation(sinusoid, config, weights);
  layers.forEach((rows, i) => graph.output(`modulation.${i}`, rows));
  graph.output("modulation.head", head);
  return graph;
}

/** Sizes and weights of {@linkcode promptGraph}. */
export interface PromptGraphOptions {
  readonly textEncoder: TextEncoderConfig;
  readonly transformer: TransformerConfig;
  readonly textWeights: Weights;
  readonly transformerWeights: Weights;
  /** Tokens that the program takes, at most `text_len`. */
  readonly length: number;
}

/**
 * From token embeddings to what the cross-attention of every layer looks at.
 *
 * Inputs: `rows` [length,text_dim]; `mask` [1,1,length], added to the attention logits; `real` [length,1], 1 where a
 * row is text. Outputs `text.k.<layer>`, `text.v.<layer>` [text_len,H,D/H].
 */
export function promptGraph(options: PromptGraphOptions): Graph {
  const { length, textEncoder, transformer: config, transformerWeights } = options;
  const graph = new Graph({ isWide: true }); // as the text encoder is
  const rows = graph.input("rows", [length, textEncoder.dim]);
  const encoded = encodeText(rows, textEncoder, options.textWeights, graph.input("mask", [1, 1, length]));
  const text = pad(mul(encoded, graph.input("real", [length, 1])), [0, 0], [config.textLen - length, 0]);
  outputTextCache(graph, text, config, transformerWeights);
  return graph;
}

/** Neighbouring layers. */
export interface LayerRange {
  readonly first: number;
  readonly count: number;
}

/**
 * The second half of {@linkcode promptGraph}, for a text encoder that runs elsewhere.
 *
 * Input: `text` [text_len,text_dim], zero after the text. Outputs as there, of some layers: each stands for itself.
 */
export function textCacheGraph(
  config: TransformerConfig,
  weights: Weights,
  range: LayerRange = { first: 0, count: config.numLayers },
): Graph {
  const graph = new Graph();
  outputTextCache(graph, graph.input("text", [config.textLen, config.textDim]), config, weights, range);
  return graph;
}

function outputTextCache(
  graph: Graph,
  text: Value,
  config: TransformerConfig,
  weights: Weights,
  { first, count }: LayerRange = { first: 0, count: config.numLayers },
): void {
  const embedded = embedContext(text, weights);
  const layers = Array.from({ length: count }, (_, i) => {
    return keysValues(embedded, weights.at(`blocks.${first + i}.cross_attn`), config.numHeads);
  });
  outputCache(graph, "text", layers, first);
}

/** The inputs of a pass after `context` blocks that are joined. */
function joinedInputs(graph: Graph, config: TransformerConfig, context: number, size: LatentSize): TransformerInputs {
  const own = blockRope(graph, config, context, gridOf(size));
  const past = context > 0
    ? cacheInputs(graph, "past", config, context * blockTokens(size))
    : Array.from({ length: config.numLayers }, () => []);
  return { ...passInputs(graph, config), past, rope: { queries: own, keys: own } };
}

/** The inputs of a pass that do not depend on the window. */
export function passInputs(
  graph: GraphNames,
  config: TransformerConfig,
): Omit<TransformerInputs, "past" | "rope" | "text"> & { readonly text: readonly KeysValues[] } {
  const camera = (name: string) => graph.input(name, [LATENTS_PER_BLOCK, 4, 4]);
  const rows = (name: string, count: number) =>
    graph.input(`modulation.${name}`, [count, LATENTS_PER_BLOCK, 1, config.dim]);
  return {
    modulation: {
      layers: Array.from({ length: config.numLayers }, (_, i) => rows(`${i}`, 6)),
      head: rows("head", 2),
    },
    text: cacheInputs(graph, "text", config, config.textLen),
    cameras: {
      p: camera("p"),
      pTransposed: camera("pTransposed"),
      pInverseTransposed: camera("pInverseTransposed"),
    },
  };
}

/** `[layer][block]`: keys and values of committed blocks, one by one. */
export function contextInputs(
  graph: GraphNames,
  config: TransformerConfig,
  context: number,
  size: LatentSize,
): KeysValues[][] {
  const blocks = Array.from(
    { length: context },
    (_, block) => cacheInputs(graph, `context${block}`, config, blockTokens(size)),
  );
  return Array.from({ length: config.numLayers }, (_, layer) => blocks.map((layers) => layers[layer]));
}

/** Tokens of a frame of latents. */
export function gridOf(size: LatentSize): GridSize {
  return { rows: size.height / 2, columns: size.width / 2 };
}

/** Tokens of a block. */
function blockTokens(size: LatentSize): number {
  const { rows, columns } = gridOf(size);
  return LATENTS_PER_BLOCK * rows * columns;
}

/** Latents, or noise, of a block. */
export function latentInput(graph: GraphNames, name: string, config: TransformerConfig, size: LatentSize): Value {
  return graph.input(name, [LATENTS_PER_BLOCK, config.zDim, size.height, size.width]);
}

function cacheInputs(graph: GraphNames, name: string, config: TransformerConfig, tokens: number): KeysValues[] {
  const shape = [tokens, config.numHeads, config.dim / config.numHeads];
  return Array.from({ length: config.numLayers }, (_, layer) => ({
    k: graph.input(`${name}.k.${layer}`, shape),
    v: graph.input(`${name}.v.${layer}`, shape),
  }));
}

/** Names keys and values by layer. */
export function outputCache(graph: GraphNames, name: string, layers: readonly KeysValues[], first = 0): void {
  layers.forEach(({ k, v }, i) => {
    graph.output(`${name}.k.${first + i}`, k);
    graph.output(`${name}.v.${first + i}`, v);
  });
}
