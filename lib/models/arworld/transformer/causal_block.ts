/**
 * One layer of the causal transformer, and how a timestep reaches it: scale, shift and gate vectors (adaptive layer
 * norm, Peebles and Xie 2022).
 *
 * @module
 */
import {
  add,
  concat,
  type Graph,
  layerNorm,
  mul,
  reshape,
  silu,
  slice,
  type Value,
} from "../../../compute/tensor/mod.ts";
import { dense } from "../../layers/dense.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import type { TransformerConfig } from "../config.ts";
import {
  cameraAttention,
  type CameraValues,
  crossAttention,
  type KeysValues,
  keysValues,
  type PerWorld,
  windowAttention,
  type WindowPast,
  type WindowRope,
  worldsOf,
  type WorldsPast,
} from "./attention.ts";

/** The context of a layer besides its own tokens, and the modulation of its frames. */
interface BlockInputs {
  readonly modulation: LayerModulation;
  /** The layer's keys and values of the committed blocks in the window. */
  readonly past: WindowPast | WorldsPast;
  /** The layer's keys and values of the prompt. */
  readonly text: PerWorld<KeysValues>;
  readonly rope: WindowRope;
  /** Hides keys of the window, [1,1,Lk]. */
  readonly windowBias?: Value | undefined;
  readonly cameras: CameraValues;
}

/** The intermediate values of a layer, all [L,D]. */
interface BlockValues {
  readonly attentionInput: Value;
  readonly selfAttention: Value;
  readonly cameraAttention: Value;
  readonly afterAttention: Value;
  readonly crossAttention: Value;
  readonly afterCross: Value;
  readonly ffnInput: Value;
  readonly ffn: Value;
  readonly output: Value;
  /** Keys and values of this block, kept once its latents are clean. */
  readonly own: KeysValues;
}

/** Keys and values of x [L,D], without the remainder of the layer. */
export function blockKeysValues(x: Value, modulation: LayerModulation, weights: Weights, heads: number): KeysValues {
  const a = modulatedNorm(x, modulation.scaleAttention, modulation.shiftAttention);
  return keysValues(a, weights.at("self_attn"), heads);
}

/**
 * a = LN(x) modulated; x += gate * (self(a) + camera(a)); x += cross(LN(x)); x += gate * ffn(LN(x) modulated).
 *
 * Shapes: x [L,D] -> [L,D].
 */
export function causalBlock(x: Value, inputs: BlockInputs, weights: Weights, heads: number): BlockValues {
  const g = x.graph;
  const m = inputs.modulation;
  const attentionInput = modulatedNorm(x, m.scaleAttention, m.shiftAttention);
  const own = keysValues(attentionInput, weights.at("self_attn"), heads);
  const self = windowAttention(
    attentionInput,
    own,
    inputs.past,
    inputs.rope,
    weights.at("self_attn"),
    inputs.windowBias,
  );
  const worlds = worldsOf(inputs.text).length;
  const camera = cameraAttention(attentionInput, inputs.cameras, weights.at("cam_self_attn"), heads, worlds).output;
  const afterAttention = addGated(x, add(self, camera), m.gateAttention);
  const normed = layerNorm(afterAttention, weights.in(g, "norm3.weight"), weights.in(g, "norm3.bias"));
  const cross = crossAttention(normed, inputs.text, weights.at("cross_attn"));
  const afterCross = add(afterAttention, cross);
  const ffnInput = modulatedNorm(afterCross, m.scaleFfn, m.shiftFfn);
  const ffn = dense(dense(ffnInput, weights.at("ffn.0"), "gelu"), weights.at("ffn.2"));
  return {
    attentionInput,
    selfAttention: self,
    cameraAttention: camera,
    afterAttention,
    crossAttention: cross,
    afterCross,
    ffnInput,
    ffn,
    output: addGated(afterCross, ffn, m.gateFfn),
    own,
  };
}

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
interface LayerModulation {
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

/** LN(x) * scale + shift; x [F*S,D], scale (1 already added) and shift [F,1,D] -> [F*S,D]. */
export function modulatedNorm(x: Value, scale: Value, shift: Value): Value {
  const frames = perFrame(layerNorm(x), scale);
  return reshape(add(mul(frames, scale), shift), x.shape);
}

/** x + y * gate; x and y [F*S,D], gate [F,1,D] -> [F*S,D]. */
function addGated(x: Value, y: Value, gate: Value): Value {
  return add(x, reshape(mul(perFrame(y, gate), gate), x.shape));
}

function perFrame(x: Value, vectors: Value): Value {
  const [f, , d] = vectors.shape;
  return reshape(x, [f, x.shape[0] / f, d]);
}
