/**
 * The blocks of the video autoencoder: a convolution over time that never looks ahead, its norm, the residual block,
 * and self-attention between the pixels of one frame.
 *
 * @module
 */
import {
  add,
  attention,
  conv2d,
  conv3d,
  reshape,
  rmsNorm,
  silu,
  split,
  transpose,
  type Value,
} from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { FrameHistory } from "./frame_history.ts";

/**
 * Causal convolution, `weight` [O,C,kt,kh,kw] with odd kh and kw: zeros around every frame, the past in front.
 *
 * Shapes: x [T,C,H,W] -> [T,O,H,W].
 */
export function causalConv(x: Value, weights: Weights, history: FrameHistory, name: string): Value {
  const g = x.graph;
  const [o, c, kt, kh, kw] = weights.get("weight").shape;
  const around = { pad: [kh >> 1, kw >> 1, kh >> 1, kw >> 1] } as const;
  if (kt === 1) return conv2d(x, weights.in(g, "weight", [o, c, kh, kw]), weights.in(g, "bias"), around);
  return conv3d(history.prepend(name, x, kt - 1), weights.in(g, "weight"), weights.in(g, "bias"), around);
}

/** Floor of the squared length; upstream divides by max(|x|, 1e-12). */
const EPS = 1e-24;

/** x / |x| * sqrt(C) * gamma over the channels of every pixel; x [T,C,H,W] -> same shape. */
export function channelNorm(x: Value, weights: Weights): Value {
  return rmsNorm(x, weights.vector(x.graph, "gamma"), { axis: 1, eps: EPS });
}

/**
 * conv(silu(norm(conv(silu(norm(x)))))) + shortcut(x); the shortcut is a 1x1x1 convolution where the width changes.
 *
 * Shapes: x [T,C,H,W] -> [T,O,H,W].
 */
export function resBlock(x: Value, weights: Weights, history: FrameHistory, name: string): Value {
  const residual = weights.at("residual");
  let h = silu(channelNorm(x, residual.at("0")));
  h = causalConv(h, residual.at("2"), history, `${name}.residual.2`);
  h = silu(channelNorm(h, residual.at("3")));
  h = causalConv(h, residual.at("6"), history, `${name}.residual.6`);
  const shortcut = weights.has("shortcut.weight")
    ? causalConv(x, weights.at("shortcut"), history, `${name}.shortcut`)
    : x;
  return add(h, shortcut);
}

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
