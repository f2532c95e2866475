/**
 * The network of InstantMesh's reconstruction.
 *
 * @module
 */
import {
  add,
  attention,
  linear,
  mul,
  reshape,
  sigmoid,
  slice,
  sub,
  tanh,
  type Value,
} from "../../compute/tensor/mod.ts";
import { dense, weightedNorm } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";

const BLOCK_EPS = 1e-5;
const FINAL_EPS = 1e-6;

/** Cells over which a node of the grid can move, as a share of a cell of the unit grid. */
const DEFORMATION_SHARE = 4;

/** Cameras [N,16] as what the encoder's norms are conditioned on, [N,D]. */
export function embedCameras(cameras: Value, weights: Weights): Value {
  return dense(dense(cameras, weights.at("0"), "silu"), weights.at("2"));
}

/** What one block gives and what its attentions add. */
export interface ReconstructionBlockParts {
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
