/**
 * The network of InstantMesh's reconstruction, and the stages in which it runs.
 *
 * @module
 */
import {
  add,
  attention,
  concat,
  linear,
  mul,
  reshape,
  sigmoid,
  slice,
  sub,
  tanh,
  type Tensor,
  type Value,
} from "../../compute/tensor/mod.ts";
import { dense, weightedNorm } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { tokensToPlanes } from "../triplane/triplane.ts";
import { CAMERA_NUMBERS, type InstantMeshConfig } from "./config.ts";
import { dinoBlocks, dinoNorm, dinoTokens } from "../vision_transformer/dino.ts";
import type { Stage } from "../vision/run_stages.ts";

const BLOCK_EPS = 1e-5;
const FINAL_EPS = 1e-6;

/** Cells over which a node of the grid can move, as a share of a cell of the unit grid. */
const DEFORMATION_SHARE = 4;

/** Cameras [N,16] as what the encoder's norms are conditioned on, [N,D]. */
export function embedCameras(cameras: Value, weights: Weights): Value {
  return dense(dense(cameras, weights.at("0"), "silu"), weights.at("2"));
}

/** What one block gives and what its attentions add. */
interface ReconstructionBlockParts {
  readonly cross: Value;
  readonly self: Value;
  readonly output: Value;
}

/** Attention to all views, self-attention, a perceptron with exact GELU; x [L,C], context [M,E] -> [L,C]. */
export function reconstructionBlock(
  x: Value,
  context: Value,
  weights: Weights,
  heads: number,
): ReconstructionBlockParts {
  const g = x.graph;
  const width = x.shape[1];
  const first = weightedNorm(x, weights.at("norm1"), BLOCK_EPS);
  const across = weights.at("cross_attn");
  const cross = attend(
    linear(first, across.in(g, "q_proj_weight")),
    linear(context, across.in(g, "k_proj_weight")),
    linear(context, across.in(g, "v_proj_weight")),
    across,
    heads,
  );
  const y = add(x, cross);
  const within = weights.at("self_attn");
  const all = linear(weightedNorm(y, weights.at("norm2"), BLOCK_EPS), within.in(g, "in_proj_weight"));
  const [q, k, v] = [0, 1, 2].map((i) => slice(all, { axis: 1, start: i * width, end: (i + 1) * width }));
  const self = attend(q, k, v, within, heads);
  const z = add(y, self);
  const hidden = dense(weightedNorm(z, weights.at("norm3"), BLOCK_EPS), weights.at("mlp.0"), "geluErf");
  return { cross, self, output: add(z, dense(hidden, weights.at("mlp.3"))) };
}

function attend(q: Value, k: Value, v: Value, weights: Weights, heads: number): Value {
  const split = (x: Value) => reshape(x, [x.shape[0], heads, x.shape[1] / heads]);
  return linear(reshape(attention(split(q), split(k), split(v)), q.shape), weights.in(q.graph, "out_proj.weight"));
}

/** The final norm of the transformer. */
export function reconstructionNorm(x: Value, weights: Weights): Value {
  return weightedNorm(x, weights.at("norm"), FINAL_EPS);
}

/** Features [N,3C] of points to the signed distance of each, above 0 inside: [N,1]. */
export function signedDistance(features: Value, weights: Weights): Value {
  return perceptron(features, weights.at("net_sdf"));
}

/** Features [N,3C] of points to colours in about 0..1: [N,3]. */
export function surfaceColour(features: Value, weights: Weights): Value {
  return sub(mul(sigmoid(perceptron(features, weights.at("net_rgb"))), 1.002), 0.001);
}

/** Features [N,3C] of the nodes of a grid of `cells` cells a side to how far each node is moved: [N,3]. */
export function gridDeformation(features: Value, cells: number, weights: Weights): Value {
  return mul(tanh(perceptron(features, weights.at("net_deformation"))), 1 / (DEFORMATION_SHARE * cells));
}

/** Three hidden layers with ReLU. */
function perceptron(x: Value, weights: Weights): Value {
  for (const layer of ["0", "2", "4"]) x = dense(x, weights.at(layer), "relu");
  return dense(x, weights.at("6"));
}

/** The parts, from views to field. */
export interface InstantMeshStages {
  /** `view` [1,3,S,S] normalised, `camera` [1,16] -> `features` [1+P,E]; for every view. */
  readonly encode: Stage;
  /**
   * Groups of blocks: `features.<view>` and, except for the first, `x` [L,C] -> `x`; the last gives `planes`
   * [3,C,2S,2S] instead.
   */
  readonly transform: readonly Stage[];
  /** Features [N,3C] -> signed distance [N,1] */
  readonly distance: (features: Value) => Value;
  /** Features [N,3C] of nodes -> signed distance, x, y, z of the deformation [N,4] */
  readonly node: (features: Value) => Value;
  /** Features [N,3C] -> colour [N,3] */
  readonly colour: (features: Value) => Value;
}

/** Blocks that run together: between groups an operation can be cancelled. */
const GROUP = 2;

/**
 * Plans the parts; nothing is computed.
 *
 * @param weights Weights without the prefix of the published file.
 * @param cells Cells on the side of the grid.
 */
export function instantMeshStages(
  config: InstantMeshConfig,
  weights: Weights,
  positions: Tensor,
  views: number,
  cells: number,
): InstantMeshStages {
  const { encoder, imageSize, depth, heads, width } = config;
  const patches = (imageSize / encoder.patch) ** 2;
  const length = 3 * config.planeTokens ** 2;
  const transformer = weights.at("transformer");
  const decoder = weights.at("synthesizer.decoder");
  const groups = Math.ceil(depth / GROUP);
  return {
    encode: (graph) => {
      const view = graph.input("view", [1, 3, imageSize, imageSize]);
      const camera = graph.input("camera", [1, CAMERA_NUMBERS]);
      const condition = embedCameras(camera, weights.at("encoder.camera_embedder"));
      const model = weights.at("encoder.model");
      const x = dinoBlocks(dinoTokens(view, model, positions), 0, encoder.depth, encoder, model, condition);
      return { features: reshape(dinoNorm(x, model), [1 + patches, encoder.dim]) };
    },
    transform: Array.from({ length: groups }, (_, group) => (graph) => {
      const features = Array.from(
        { length: views },
        (_, view) => graph.input(`features.${view}`, [1 + patches, encoder.dim]),
      );
      const context = concat(features, 0);
      let x = group === 0
        ? weights.in(graph, "transformer.pos_embed", [length, width])
        : graph.input("x", [length, width]);
      for (let i = group * GROUP; i < Math.min((group + 1) * GROUP, depth); i++) {
        x = reconstructionBlock(x, context, transformer.at(`layers.${i}`), heads).output;
      }
      if (group < groups - 1) return { x };
      return { planes: tokensToPlanes(reconstructionNorm(x, transformer), transformer.at("deconv")) };
    }),
    distance: (features) => signedDistance(features, decoder),
    node: (features) => concat([signedDistance(features, decoder), gridDeformation(features, cells, decoder)], 1),
    colour: (features) => surfaceColour(features, decoder),
  };
}
