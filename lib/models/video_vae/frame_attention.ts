/**
 * Self-attention between the pixels of one frame.
 *
 * @module
 */
import { add, attention, conv2d, reshape, split, transpose, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { channelNorm } from "./channel_norm.ts";

/** x + proj(attend(norm(x))) with one head as wide as the channels, each frame separately; x [T,C,H,W] -> same. */
export function frameAttention(x: Value, weights: Weights): Value {
  const g = x.graph;
  const [t, c, h, w] = x.shape;
  const qkv = conv2d(
    channelNorm(x, weights.at("norm")),
    weights.in(g, "to_qkv.weight"),
    weights.in(g, "to_qkv.bias"),
  );
  const pixels = transpose(reshape(qkv, [t, 3 * c, h * w]), [0, 2, 1]);
  const [q, k, v] = split(reshape(pixels, [t, h * w, 1, 3 * c]), [c, c, c], 3);
  const mixed = transpose(reshape(attention(q, k, v), [t, h * w, c]), [0, 2, 1]);
  const out = conv2d(reshape(mixed, [t, c, h, w]), weights.in(g, "proj.weight"), weights.in(g, "proj.bias"));
  return add(x, out);
}
