/**
 * How a timestep reaches the layers: scale, shift and gate vectors (adaptive layer norm, Peebles and Xie 2022).
 *
 * @module
 */
import { add, concat, type Graph, reshape, silu, slice, type Value } from "../../../compute/tensor/mod.ts";
import { dense } from "../../checkpoint/dense.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import type { TransformerConfig } from "../config.ts";

/** Sinusoids [F,freq_dim] of timesteps -> embedding [F,D]. */
export function embedTime(sinusoid: Value, weights: Weights): Value {
  return dense(dense(sinusoid, weights.at("time_embedding.0"), "silu"), weights.at("time_embedding.2"));
}

/** Embedding [F,D] -> the six vectors that every layer adds its own to, [F,6,D]. */
export function projectTime(embedding: Value, weights: Weights): Value {
  const [f, d] = embedding.shape;
  return reshape(dense(silu(embedding), weights.at("time_projection.1")), [f, 6, d]);
}

/** Modulation of one layer, each [F,1,D] with F frames; scales have their 1 added already. */
export interface LayerModulation {
  readonly shiftAttention: Value;
  readonly scaleAttention: Value;
  readonly gateAttention: Value;
  readonly shiftFfn: Value;
  readonly scaleFfn: Value;
  readonly gateFfn: Value;
}

/** `modulation` [1,6,D] of a layer plus the projected time [F,6,D], with 1 added to the two scales -> [6,F,1,D]. */
export function layerModulation(time: Value, weights: Weights): Value {
  return modulationRows(time, weights, [1, 4]);
}

/** `modulation` [1,2,D] of the head plus the time embedding [F,D] (shift, 1 + scale) -> [2,F,1,D]. */
export function headModulation(embedding: Value, weights: Weights): Value {
  const [f, d] = embedding.shape;
  return modulationRows(reshape(embedding, [f, 1, d]), weights, [1]);
}

function modulationRows(time: Value, weights: Weights, scales: readonly number[]): Value {
  const g: Graph = time.graph;
  const own = weights.in(g, "modulation");
  const [f, , d] = time.shape;
  const rows: Value[] = [];
  for (let i = 0; i < own.shape[1]; i++) {
    const shared = time.shape[1] === 1 ? time : slice(time, { axis: 1, start: i, end: i + 1 });
    const row = add(shared, slice(own, { axis: 1, start: i, end: i + 1 }));
    rows.push(reshape(scales.includes(i) ? add(row, 1) : row, [1, f, 1, d]));
  }
  return concat(rows, 0);
}

/** Takes the six vectors of a layer out of [6,F,1,D]. */
export function splitModulation(rows: Value): LayerModulation {
  const [, f, , d] = rows.shape;
  const row = (i: number) => reshape(slice(rows, { axis: 0, start: i, end: i + 1 }), [f, 1, d]);
  return {
    shiftAttention: row(0),
    scaleAttention: row(1),
    gateAttention: row(2),
    shiftFfn: row(3),
    scaleFfn: row(4),
    gateFfn: row(5),
  };
}

/** Everything that depends on the timesteps alone: {@linkcode layerModulation} of all layers and that of the head. */
export function timeModulation(
  sinusoid: Value,
  config: TransformerConfig,
  weights: Weights,
): { readonly layers: readonly Value[]; readonly head: Value } {
  const embedding = embedTime(sinusoid, weights);
  const time = projectTime(embedding, weights);
  const layers: Value[] = [];
  for (let i = 0; i < config.numLayers; i++) layers.push(layerModulation(time, weights.at(`blocks.${i}`)));
  return { layers, head: headModulation(embedding, weights.at("head")) };
}
