/**
 * Changes of resolution in space and time.
 *
 * @module
 */
import { concat, conv2d, conv3d, reshape, slice, upsample, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { causalConv } from "./causal_conv.ts";
import type { FrameHistory } from "./frame_history.ts";

/** Nearest neighbour x2 and a 3x3 convolution; x [T,C,H,W] -> [T,C,2H,2W]. */
export function upsampleSpace(x: Value, weights: Weights): Value {
  const g = x.graph;
  const [weight, bias] = [weights.in(g, "resample.1.weight"), weights.in(g, "resample.1.bias")];
  return conv2d(upsample(x, 2), weight, bias, { pad: [1, 1, 1, 1] });
}

/**
 * Twice as many frames, then twice the size. The first frame of a stream stays one frame and is not part of the
 * convolution over time, not even as the past of the second.
 *
 * Shapes: x [T,C,H,W] -> [2T,C,2H,2W]; on the first call [1+2(T-1),C,2H,2W].
 */
export function upsampleTime(x: Value, weights: Weights, history: FrameHistory, name: string): Value {
  const start = history.first ? 1 : 0;
  if (x.shape[0] === start) {
    history.forget(`${name}.time_conv`, x, 2);
    return upsampleSpace(x, weights);
  }
  const rest = slice(x, { axis: 0, start });
  const [t, c, h, w] = rest.shape;
  const twice = causalConv(rest, weights.at("time_conv"), history, `${name}.time_conv`);
  // [T,2C,H,W] holds the channels of frame 2t, then those of frame 2t+1: in this layout already the right order.
  const frames = reshape(twice, [2 * t, c, h, w]);
  return upsampleSpace(start ? concat([slice(x, { axis: 0, end: 1 }), frames], 0) : frames, weights);
}

/** 3x3 convolution of stride 2 after one row and column of zeros at the bottom right; [T,C,H,W] -> [T,C,H/2,W/2]. */
export function downsampleSpace(x: Value, weights: Weights): Value {
  const g = x.graph;
  const [weight, bias] = [weights.in(g, "resample.1.weight"), weights.in(g, "resample.1.bias")];
  return conv2d(x, weight, bias, { stride: [2, 2], pad: [0, 0, 1, 1] });
}

/**
 * Half the size, then half the frames: the first frame of a stream passes through, the following ones are convolved
 * in steps of two over (the last frame before | these frames).
 *
 * Shapes: x [T,C,H,W] -> [T/2,C,H/2,W/2] with even T; on the first call [1+(T-1)/2,C,H/2,W/2] with odd T.
 */
export function downsampleTime(x: Value, weights: Weights, history: FrameHistory, name: string): Value {
  const g = x.graph;
  const small = downsampleSpace(x, weights);
  const past = `${name}.time_conv`;
  const frames = history.first ? small : concat([history.past(past, small, 1), small], 0);
  history.keep(past, small, 1);
  if (frames.shape[0] === 1) return frames;
  const time = weights.at("time_conv");
  const halved = conv3d(frames, time.in(g, "weight"), time.in(g, "bias"), { stride: [2, 1, 1] });
  return history.first ? concat([slice(small, { axis: 0, end: 1 }), halved], 0) : halved;
}
