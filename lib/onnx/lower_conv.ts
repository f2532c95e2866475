/**
 * Convolutions.
 *
 * ONNX Runtime's 3D convolution unrolls its input in memory; its 2D one works on blocks of channels in registers. So a
 * 3D convolution becomes 2D ones over frames as their batch.
 *
 * @module
 */
import type { OpOf } from "../tensor/op.ts";
import type { Shape } from "../tensor/shape.ts";
import type { Lowering, Operand } from "./lowering.ts";
import type { ModelBuilder } from "./model_builder.ts";

/** x [N,C,H,W], w [O,C,kh,kw], bias? [O] -> [N,O,H',W'] */
export const lowerConv2d: Lowering<"conv2d"> = (builder, op, inputs) =>
  builder.node("Conv", inputs.map((x) => x.name), { strides: op.stride, pads: op.pad });

/** x [T,C,H,W], w [O,C,kt,kh,kw], bias? [O] -> [T',O,H',W'] */
export const lowerConv3d: Lowering<"conv3d"> = (builder, op, [x, w, bias], output) => {
  const [outChannels, , taps] = w.shape;
  // Blocks of 16 channels are half empty for fewer outputs, and a kernel over single pixels is too cheap to gain.
  const narrow = outChannels < 32 && w.shape[3] * w.shape[4] > 1;
  return narrow && taps > 1 && op.stride[0] === 1 && output[0] % 2 === 0
    ? twoFramesAtOnce(builder, op, x, w, bias, output)
    : sumOfTaps(builder, op, x, w, bias, output);
};

/** One 2D convolution for each tap in time, added up; the additions are part of the convolutions. */
function sumOfTaps(
  builder: ModelBuilder,
  op: OpOf<"conv3d">,
  x: Operand,
  w: Operand,
  bias: Operand | undefined,
  [frames]: Shape,
): string {
  const [o, c, taps, kh, kw] = w.shape;
  const [stride, ...strides] = op.stride;
  let sum = "";
  for (let tap = 0; tap < taps; tap++) {
    const source = slice(builder, x, 0, tap, tap + (frames - 1) * stride + 1, stride);
    const kernel = builder.node("Reshape", [slice(builder, w, 2, tap, tap + 1), builder.integers([o, c, kh, kw])]);
    const inputs = bias && tap === 0 ? [source, kernel, bias.name] : [source, kernel];
    const part = builder.node("Conv", inputs, { strides, pads: op.pad });
    sum = tap === 0 ? part : builder.node("Add", [part, sum]);
  }
  return sum;
}

/**
 * Two output frames as the channels of one image: taps+1 frames with C channels each go in, the kernel [O,C,taps,..]
 * lies in the upper left and, shifted by one frame, in the lower right of a kernel [2 O,(taps+1) C,..].
 */
function twoFramesAtOnce(
  builder: ModelBuilder,
  op: OpOf<"conv3d">,
  x: Operand,
  w: Operand,
  bias: Operand | undefined,
  output: Shape,
): string {
  const [o, c, taps, kh, kw] = w.shape;
  const [, , h, wide] = x.shape;
  const [frames, , ...image] = output;
  const windows = Array.from({ length: frames / 2 }, (_, i) => slice(builder, x, 0, 2 * i, 2 * i + taps + 1));
  const joined = windows.length > 1 ? builder.node("Concat", windows, { axis: 0 }) : windows[0];
  const stacked = builder.node("Reshape", [joined, builder.integers([frames / 2, (taps + 1) * c, h, wide])]);
  const tapsFirst = builder.node("Transpose", [w.name], { perm: [0, 2, 1, 3, 4] });
  const rows = [[0, 1], [1, 0]].map(([before, after]) =>
    builder.node("Pad", [tapsFirst, builder.integers([0, before, 0, 0, 0, 0, after, 0, 0, 0])])
  );
  const band = builder.node("Concat", rows, { axis: 0 });
  const inputs = [stacked, builder.node("Reshape", [band, builder.integers([2 * o, (taps + 1) * c, kh, kw])])];
  if (bias) inputs.push(builder.node("Concat", [bias.name, bias.name], { axis: 0 }));
  const pairs = builder.node("Conv", inputs, { strides: op.stride.slice(1), pads: op.pad });
  return builder.node("Reshape", [pairs, builder.integers([frames, o, ...image])]);
}

function slice(builder: ModelBuilder, x: Operand, axis: number, start: number, end: number, step = 1): string {
  if (start === 0 && end === x.shape[axis] && step === 1) return x.name;
  return builder.node("Slice", [x.name, ...[start, end, axis, step].map((n) => builder.integers([n]))]);
}
