/**
 * The norm of the video autoencoder.
 *
 * @module
 */
import { rmsNorm, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";

/** Floor of the squared length; upstream divides by max(|x|, 1e-12). */
const EPS = 1e-24;

/** x / |x| * sqrt(C) * gamma over the channels of every pixel; x [T,C,H,W] -> same shape. */
export function channelNorm(x: Value, weights: Weights): Value {
  return rmsNorm(x, weights.vector(x.graph, "gamma"), { axis: 1, eps: EPS });
}
