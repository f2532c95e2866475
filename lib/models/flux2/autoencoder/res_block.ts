/**
 * Residual block of the autoencoder.
 *
 * @module
 */
import { add, groupNorm, silu, type Value } from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { convolution } from "../../layers/convolution.ts";

/** Added to the variance in every group norm; no configuration names it. */
const EPS = 1e-6;

/** Group norm with its weights; x [1,C,H,W] -> same. */
export function pixelNorm(x: Value, weights: Weights, groups: number): Value {
  return groupNorm(x, groups, weights.in(x.graph, "weight"), weights.in(x.graph, "bias"), EPS);
}

/** conv(silu(norm(conv(silu(norm(x)))))) + shortcut(x), a 1x1 convolution where the width changes; [1,C,H,W] -> [1,O,H,W]. */
export function resBlock(x: Value, weights: Weights, groups: number): Value {
  const first = convolution(silu(pixelNorm(x, weights.at("norm1"), groups)), weights.at("conv1"));
  const second = convolution(silu(pixelNorm(first, weights.at("norm2"), groups)), weights.at("conv2"));
  const shortcut = weights.has("conv_shortcut.weight") ? convolution(x, weights.at("conv_shortcut")) : x;
  return add(second, shortcut);
}
