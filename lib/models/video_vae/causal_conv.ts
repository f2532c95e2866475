/**
 * Convolution over time that never looks ahead.
 *
 * @module
 */
import { conv2d, conv3d, type Value } from "../../compute/tensor/mod.ts";
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
