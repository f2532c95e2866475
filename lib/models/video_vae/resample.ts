/**
 * Changes of resolution in space and time, and the shortcuts without parameters around them.
 *
 * @module
 */
import {
  broadcastTo,
  concat,
  conv2d,
  conv3d,
  gather,
  i32,
  pad,
  reduceMean,
  reshape,
  slice,
  transpose,
  upsample,
  type Value,
} from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { causalConv } from "./blocks.ts";
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

/**
 * Mean over groups of (channel, time, row, column) cells, in this order: out[o] is the mean of the cells
 * [o*G, (o+1)*G) with G = C * ft * fs^2 / O. Time is filled with zeros in front to a multiple of ft.
 *
 * Shapes: x [T,C,H,W] -> [ceil(T/ft),O,H/fs,W/fs].
 */
export function averageDown(x: Value, channels: number, ft: number, fs: number): Value {
  const [t0, c, h, w] = x.shape;
  if (ft * fs === 1 && c === channels) return x;
  const missing = (ft - t0 % ft) % ft;
  const filled = pad(x, [missing, 0, 0, 0], [0, 0, 0, 0]);
  const t = (t0 + missing) / ft;
  const cells = transpose(reshape(filled, [t, ft, c, h / fs, fs, w / fs, fs]), [0, 2, 1, 4, 6, 3, 5]);
  const group = c * ft * fs * fs / channels;
  return reshape(reduceMean(reshape(cells, [t, channels, group, h / fs, w / fs]), [2]), [t, channels, h / fs, w / fs]);
}

/**
 * Repeats channels into time and space: out[t*ft+a, o, y*fs+b, x*fs+d] = in[t, floor(cell/R), y, x] with
 * cell = ((o*ft+a)*fs+b)*fs+d and R = O * ft * fs^2 / C. The first call of a stream drops its first ft-1 frames,
 * because the first latent stands for one frame.
 *
 * Shapes: x [T,C,H,W] -> [T*ft,O,H*fs,W*fs], less ft-1 frames on the first call.
 */
export function duplicateUp(x: Value, channels: number, ft: number, fs: number, first: boolean): Value {
  const [t, c, h, w] = x.shape;
  const cells = ft * fs * fs;
  const repeat = channels * cells / c;
  const out = [t * ft, channels, h * fs, w * fs];
  let y: Value;
  if (repeat % cells === 0) {
    // Every output channel is one input channel: plain nearest neighbour.
    const picked = repeat === cells ? x : pickChannels(x, channels, repeat / cells);
    const large = upsample(picked, fs);
    y = reshape(broadcastTo(reshape(large, [t, 1, ...out.slice(1)]), [t, ft, ...out.slice(1)]), out);
  } else if (ft === 1 && fs === 2 && repeat === fs) {
    // Two input channels are the rows of one output channel.
    const rows = transpose(reshape(x, [t, channels, fs, h, w]), [0, 1, 3, 2, 4]);
    y = reshape(broadcastTo(reshape(rows, [t, channels, h * fs, w, 1]), [t, channels, h * fs, w, fs]), out);
  } else {
    const spread = reshape(pickChannels(x, channels * cells, repeat), [t, channels, ft, fs, fs, h, w]);
    y = reshape(transpose(spread, [0, 2, 1, 5, 3, 6, 4]), out);
  }
  return first ? slice(y, { axis: 0, start: ft - 1 }) : y;
}

/** [T,C,H,W] -> [T,count,H,W] with channel i from channel floor(i / repeat). */
function pickChannels(x: Value, count: number, repeat: number): Value {
  const index = Int32Array.from({ length: count }, (_, i) => Math.floor(i / repeat));
  return gather(x, x.graph.constant(i32([count], index)), 1);
}
