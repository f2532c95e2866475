/**
 * Qwen3 as a text encoder: hidden states of several layers side by side.
 *
 * @module
 */
import {
  add,
  concat,
  f32,
  Graph,
  groupedAttention,
  mul,
  reshape,
  rmsNorm,
  rope,
  type Tensor,
  type Value,
} from "../../compute/tensor/mod.ts";
import { dense } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { Qwen3Config } from "./config.ts";

/** The first `count` layers over token embeddings [L,D]. Hidden state k is the output of layer k - 1. */
export function qwen3Layers(
  rows: Value,
  positions: Qwen3Positions,
  config: Qwen3Config,
  weights: Weights,
  count: number,
): readonly Qwen3LayerValues[] {
  const layers: Qwen3LayerValues[] = [];
  let x = rows;
  for (let i = 0; i < count; i++) {
    const layer = qwen3Layer(x, positions, config, weights.at(`model.layers.${i}`));
    layers.push(layer);
    x = layer.output;
  }
  return layers;
}

/**
 * A program that encodes `length` tokens. Inputs: `rows` [length,D] token embeddings, `cos` and `sin`
 * [length, headDim / 2], `mask` [length,length]. Output: `text` [length, D * states], the hidden states with the given
 * numbers (1 is after the first layer, without the last norm) side by side; layers after the last one do not run.
 */
export function qwen3Graph(
  config: Qwen3Config,
  weights: Weights,
  length: number,
  states: readonly number[],
): Graph {
  const graph = new Graph();
  const table = [length, config.headDim / 2];
  const positions = {
    cos: graph.input("cos", table),
    sin: graph.input("sin", table),
    mask: graph.input("mask", [length, length]),
  };
  const rows = graph.input("rows", [length, config.hiddenSize]);
  const layers = qwen3Layers(rows, positions, config, weights, Math.max(...states));
  graph.output("text", concat(states.map((k) => layers[k - 1].output), 1));
  return graph;
}

/** What attention needs besides the tokens. */
interface Qwen3Positions {
  /** [L, headDim / 2] */
  readonly cos: Value;
  /** [L, headDim / 2] */
  readonly sin: Value;
  /** Added to the logits, [L,L]: 0 where the query may see the key, very negative elsewhere. */
  readonly mask: Value;
}

/** What one layer computes on its way, all [L,D]. */
interface Qwen3LayerValues {
  /** The norm before the attention. */
  readonly attentionInput: Value;
  /** The attention after its output projection. */
  readonly attended: Value;
  /** The norm before the feed-forward layer. */
  readonly feedForwardInput: Value;
  /** The feed-forward layer. */
  readonly fedForward: Value;
  /** The residual stream after the layer. */
  readonly output: Value;
}

/** x + attend(norm(x)), then x + down(silu(gate(n)) * up(n)) with n = norm(x); x [L,D] -> [L,D]. */
function qwen3Layer(
  x: Value,
  positions: Qwen3Positions,
  config: Qwen3Config,
  weights: Weights,
): Qwen3LayerValues {
  const norm = (y: Value, name: string, branch = weights) =>
    rmsNorm(y, branch.in(x.graph, `${name}.weight`), { eps: config.normEps });
  const attend = weights.at("self_attn");
  const attentionInput = norm(x, "input_layernorm");
  const [length] = x.shape;
  const heads = (name: string) =>
    reshape(dense(attentionInput, attend.at(`${name}_proj`)), [length, -1, config.headDim]);
  const rotated = (name: string) =>
    rope(norm(heads(name), `${name}_norm`, attend), positions.cos, positions.sin, "halves");
  const mixed = groupedAttention(rotated("q"), rotated("k"), heads("v"), { bias: positions.mask });
  const attended = dense(reshape(mixed, [length, -1]), attend.at("o_proj"));
  const middle = add(x, attended);

  const mlp = weights.at("mlp");
  const feedForwardInput = norm(middle, "post_attention_layernorm");
  const gated = mul(dense(feedForwardInput, mlp.at("gate_proj"), "silu"), dense(feedForwardInput, mlp.at("up_proj")));
  const fedForward = dense(gated, mlp.at("down_proj"));
  return { attentionInput, attended, feedForwardInput, fedForward, output: add(middle, fedForward) };
}

/** Added to the logits of keys that must not be seen; within the range of 16-bit floats. */
const UNSEEN = -30000;

/**
 * Rotary tables of the positions 0 to length - 1 and the mask of a prompt with `real` tokens before its padding: a token
 * sees the real tokens up to itself. Padding has positions and outputs too.
 *
 * Pair j of a head turns by position * theta^(-2j / headDim) (Su et al. 2021).
 */
export function textPositions(
  config: Pick<Qwen3Config, "headDim" | "ropeTheta">,
  length: number,
  real: number,
): { readonly cos: Tensor; readonly sin: Tensor; readonly mask: Tensor } {
  const pairs = config.headDim / 2;
  const angle = (i: number) => Math.floor(i / pairs) * config.ropeTheta ** (-(i % pairs) / pairs);
  const table = (fn: (angle: number) => number) =>
    f32([length, pairs], Float32Array.from({ length: length * pairs }, (_, i) => fn(angle(i))));
  const sees = (query: number, key: number) => key <= query && key < real;
  const mask = Float32Array.from(
    { length: length * length },
    (_, i) => sees(Math.floor(i / length), i % length) ? 0 : UNSEEN,
  );
  return { cos: table(Math.cos), sin: table(Math.sin), mask: f32([length, length], mask) };
}
