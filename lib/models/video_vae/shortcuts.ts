/**
 * Shortcuts without parameters around the stages that change the resolution.
 *
 * @module
 */
import {
  broadcastTo,
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
