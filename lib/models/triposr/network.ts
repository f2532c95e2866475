/**
 * The network of TripoSR, and the stages in which it runs.
 *
 * @module
 */
import {
  add,
  attention,
  groupNorm,
  reshape,
  sigmoid,
  slice,
  type Tensor,
  transpose,
  type Value,
} from "../../compute/tensor/mod.ts";
import { dense, gatedGelu, weightedNorm } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { dinoBlocks, dinoNorm, dinoTokens } from "../vision_transformer/dino.ts";
import { tokensToPlanes } from "../triplane/triplane.ts";
import type { Stage } from "../vision/run_stages.ts";
import type { TripoSrConfig } from "./config.ts";

const GROUPS = 32;
const GROUP_EPS = 1e-6;
const NORM_EPS = 1e-5;

/** The learned tokens of the three planes, [3*S*S,C] in the order plane, row, column. */
export function planeTokens(stored: Value): Value {
  const [planes, width, rows, columns] = stored.shape;
  return reshape(transpose(stored, [0, 2, 3, 1]), [planes * rows * columns, width]);
}

/** The way into the transformer: group norm over channels and tokens, a linear layer; [L,C] -> same. */
export function enterTransformer(tokens: Value, weights: Weights): { readonly normalised: Value; readonly x: Value } {
  const g = tokens.graph;
  const [length, width] = tokens.shape;
  const map = reshape(transpose(tokens, [1, 0]), [1, width, length]);
  const norm = weights.at("norm");
  const normal = groupNorm(map, GROUPS, norm.in(g, "weight"), norm.in(g, "bias"), GROUP_EPS);
  const normalised = transpose(reshape(normal, [width, length]), [1, 0]);
  return { normalised, x: dense(normalised, weights.at("proj_in")) };
}

/** What one block gives and what its three branches add. */
interface TriplaneBlockParts {
  readonly self: Value;
  readonly cross: Value;
  readonly fed: Value;
  readonly output: Value;
}

/** Self-attention, attention to the image, GEGLU; x [L,C], context [M,E] -> [L,C]. */
export function triplaneBlock(x: Value, context: Value, weights: Weights, heads: number): TriplaneBlockParts {
  const first = weightedNorm(x, weights.at("norm1"), NORM_EPS);
  const self = attend(first, first, weights.at("attn1"), heads);
  const y = add(x, self);
  const cross = attend(weightedNorm(y, weights.at("norm2"), NORM_EPS), context, weights.at("attn2"), heads);
  const z = add(y, cross);
  const fed = gatedGelu(weightedNorm(z, weights.at("norm3"), NORM_EPS), weights.at("ff"));
  return { self, cross, fed, output: add(z, fed) };
}

function attend(x: Value, context: Value, weights: Weights, heads: number): Value {
  const split = (value: Value, name: string) => {
    const all = dense(value, weights.at(name));
    return reshape(all, [all.shape[0], heads, all.shape[1] / heads]);
  };
  const mixed = attention(split(x, "to_q"), split(context, "to_k"), split(context, "to_v"));
  return dense(reshape(mixed, x.shape), weights.at("to_out.0"));
}

/** The way out of the transformer, on top of what went in. */
export function leaveTransformer(x: Value, tokens: Value, weights: Weights): Value {
  return add(dense(x, weights.at("proj_out")), tokens);
}

/** Density before its exponential, and colour in 0..1, of a point. */
interface FieldValues {
  /** [N,1] */
  readonly raw: Value;
  /** [N,3] */
  readonly colour: Value;
}

/** Features [N,3C] of points through the field's network. */
export function decodeField(
  features: Value,
  config: Pick<TripoSrConfig, "hiddenLayers">,
  weights: Weights,
): FieldValues {
  let x = features;
  for (let i = 0; i < config.hiddenLayers; i++) x = dense(x, weights.at(`layers.${2 * i}`), "silu");
  const out = dense(x, weights.at(`layers.${2 * config.hiddenLayers}`));
  return { raw: slice(out, { axis: 1, end: 1 }), colour: sigmoid(slice(out, { axis: 1, start: 1 })) };
}

/** The parts, from image to field. */
export interface TripoSrStages {
  /** `image` [1,3,S,S] normalised -> `context` [1+P,E] */
  readonly encode: Stage;
  /**
   * Groups of blocks: `context` and, except for the first, `x` [L,C] -> `x`; the last gives `planes` [3,C,2S,2S]
   * instead.
   */
  readonly transform: readonly Stage[];
  /** Features [N,3C] -> logarithm of the density [N,1] */
  readonly density: (features: Value) => Value;
  /** Features [N,3C] -> colour [N,3] */
  readonly colour: (features: Value) => Value;
}

/** Blocks that run together: between groups an operation can be cancelled. */
const GROUP = 2;

/** Plans the parts; nothing is computed. */
export function tripoSrStages(config: TripoSrConfig, weights: Weights, positions: Tensor): TripoSrStages {
  const { encoder, imageSize, depth, heads, width } = config;
  const grid = imageSize / encoder.patch;
  const length = 3 * config.planeTokens ** 2;
  const backbone = weights.at("backbone");
  const groups = Math.ceil(depth / GROUP);
  return {
    encode: (graph) => {
      const image = graph.input("image", [1, 3, imageSize, imageSize]);
      const model = weights.at("image_tokenizer.model");
      const x = dinoBlocks(dinoTokens(image, model, positions), 0, encoder.depth, encoder, model);
      return { context: reshape(dinoNorm(x, model), [1 + grid * grid, encoder.dim]) };
    },
    transform: Array.from({ length: groups }, (_, group) => (graph) => {
      const context = graph.input("context", [1 + grid * grid, encoder.dim]);
      const tokens = () => planeTokens(weights.in(graph, "tokenizer.embeddings"));
      let x = group === 0 ? enterTransformer(tokens(), backbone).x : graph.input("x", [length, width]);
      for (let i = group * GROUP; i < Math.min((group + 1) * GROUP, depth); i++) {
        x = triplaneBlock(x, context, backbone.at(`transformer_blocks.${i}`), heads).output;
      }
      if (group < groups - 1) return { x };
      return { planes: tokensToPlanes(leaveTransformer(x, tokens(), backbone), weights.at("post_processor.upsample")) };
    }),
    density: (features) => decodeField(features, config, weights.at("decoder")).raw,
    colour: (features) => decodeField(features, config, weights.at("decoder")).colour,
  };
}
