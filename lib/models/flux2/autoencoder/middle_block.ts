/**
 * The block between the stages of encoder and decoder, the only one in which far pixels meet.
 *
 * @module
 */
import { add, attention, reshape, transpose, type Value } from "../../../compute/tensor/mod.ts";
import { dense } from "../../layers/dense.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { pixelNorm, resBlock } from "./res_block.ts";

/** x + out(attend(norm(x))) with one head as wide as the channels; x [1,C,H,W] -> same. */
export function pixelAttention(x: Value, weights: Weights, groups: number): Value {
  const [, c, h, w] = x.shape;
  const normed = pixelNorm(x, weights.at("group_norm"), groups);
  const pixels = transpose(reshape(normed, [c, h * w]), [1, 0]);
  const [q, k, v] = ["to_q", "to_k", "to_v"].map((name) => reshape(dense(pixels, weights.at(name)), [h * w, 1, c]));
  const mixed = dense(reshape(attention(q, k, v), [h * w, c]), weights.at("to_out.0"));
  return add(x, reshape(transpose(mixed, [1, 0]), x.shape));
}

/** Residual block, attention, residual block; each as it comes. */
export function middleBlock(
  x: Value,
  weights: Weights,
  groups: number,
): { readonly first: Value; readonly attended: Value; readonly last: Value } {
  const first = resBlock(x, weights.at("resnets.0"), groups);
  const attended = pixelAttention(first, weights.at("attentions.0"), groups);
  return { first, attended, last: resBlock(attended, weights.at("resnets.1"), groups) };
}
