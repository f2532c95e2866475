/**
 * Layers that networks share, with their weights: products, quantised or not, norms, gates, and the features of a
 * timestep.
 *
 * @module
 */
import {
  type Activation,
  geluErf,
  layerNorm,
  linear,
  mul,
  quantizedLinear,
  split,
  type Value,
} from "../../compute/tensor/mod.ts";
import { isQuantized, type StoredWeight } from "../checkpoint/stored_weight.ts";
import type { Weights } from "../checkpoint/weights.ts";

/** x [..,K] through `weight` [N,K] and, where the model has one, `bias` [N] -> [..,N]. */
export function dense(x: Value, weights: Weights, activation?: Activation): Value {
  const bias = weights.has("bias") ? weights.in(x.graph, "bias") : undefined;
  return multiply(x, weights.matrix("weight"), bias, activation);
}

/** A range of a weight's rows. */
interface WeightRows {
  readonly start: number;
  readonly count: number;
}

/** A part of a layer without bias: x [..,K] through some rows of `weight` [N,K] -> [..,count]. */
export function denseRows(x: Value, weights: Weights, { start, count }: WeightRows, activation?: Activation): Value {
  return multiply(x, weights.rows("weight", start, count), undefined, activation);
}

function multiply(x: Value, weight: StoredWeight, bias?: Value, activation?: Activation): Value {
  return isQuantized(weight)
    ? quantizedLinear(x, weight, bias, activation)
    : linear(x, x.graph.constant(weight), bias, activation);
}

/** Layer norm over the last axis with `weight` and `bias` [C]. */
export function weightedNorm(x: Value, weights: Weights, eps: number): Value {
  return layerNorm(x, weights.in(x.graph, "weight"), weights.in(x.graph, "bias"), eps);
}

/**
 * GEGLU (Shazeer 2020): `net.2`(value * gelu(gate)) where `net.0.proj` gives the value first and the gate second.
 * x [..,C] -> same.
 */
export function gatedGelu(x: Value, weights: Weights): Value {
  const both = dense(x, weights.at("net.0.proj"));
  const width = both.shape[both.shape.length - 1] / 2;
  const [value, gate] = split(both, [width, width], -1);
  return dense(mul(value, geluErf(gate)), weights.at("net.2"));
}

/**
 * Sinusoidal features of diffusion timesteps (Vaswani et al. 2017, section 3.5, cosines first): `[cos | sin]` of
 * t * 10000^(-i / (width / 2)) for every timestep.
 *
 * Angles reach 1000 radians, so they are formed in 64 bits.
 *
 * @param timesteps On the scale 0 to 1000.
 * @param width Features of a timestep, even.
 * @returns `[timesteps, width]`
 */
export function timeSinusoid(timesteps: readonly number[], width: number): Float32Array {
  const half = width / 2;
  const out = new Float32Array(timesteps.length * width);
  timesteps.forEach((t, row) => {
    for (let i = 0; i < half; i++) {
      const angle = t * 10000 ** (-i / half);
      out[row * width + i] = Math.cos(angle);
      out[row * width + half + i] = Math.sin(angle);
    }
  });
  return out;
}
