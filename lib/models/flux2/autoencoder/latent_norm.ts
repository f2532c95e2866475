/**
 * The normalisation of the latents: a batch norm (Ioffe and Szegedy 2015) over patchified channels with the statistics
 * of the training, without weight and bias.
 *
 * @module
 */
import { add, f32, mul, type Tensor, toFloat32, type Value } from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";

/** (x - mean) / sqrt(variance + eps) of every channel; x [C,h,w] -> same. */
export function normaliseLatents(x: Value, statistics: Weights, eps: number): Value {
  const { mean, deviation } = columns(statistics, eps);
  const factor = deviation.map((d) => 1 / d);
  return add(mul(x, column(x, factor)), column(x, mean.map((m, c) => -m * factor[c])));
}

/** x * sqrt(variance + eps) + mean of every channel; x [C,h,w] -> same. */
export function denormaliseLatents(x: Value, statistics: Weights, eps: number): Value {
  const { mean, deviation } = columns(statistics, eps);
  return add(mul(x, column(x, deviation)), column(x, mean));
}

function columns(statistics: Weights, eps: number): { readonly mean: number[]; readonly deviation: number[] } {
  const read = (t: Tensor) => Array.from(toFloat32(t));
  return {
    mean: read(statistics.get("running_mean")),
    deviation: read(statistics.get("running_var")).map((variance) => Math.sqrt(variance + eps)),
  };
}

function column(x: Value, values: readonly number[]): Value {
  return x.graph.constant(f32([values.length, 1, 1], values));
}
