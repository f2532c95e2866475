/**
 * Qwen3 as a text encoder: hidden states of several layers side by side.
 *
 * @module
 */
import { concat, Graph, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { Qwen3Config } from "./config.ts";
import { qwen3Layer, type Qwen3LayerValues, type Qwen3Positions } from "./text_layer.ts";

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
 * numbers (1 is behind the first layer, without the last norm) side by side; layers behind the last one do not run.
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
