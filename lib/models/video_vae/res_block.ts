/**
 * Residual block of the video autoencoder.
 *
 * @module
 */
import { add, silu, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { causalConv } from "./causal_conv.ts";
import { channelNorm } from "./channel_norm.ts";
import type { FrameHistory } from "./frame_history.ts";

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
