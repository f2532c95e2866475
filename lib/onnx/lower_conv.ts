/**
 * Convolutions.
 *
 * @module
 */
import type { Lowering } from "./lowering.ts";

/** x [N,C,H,W], w [O,C,kh,kw], bias? [O] -> [N,O,H',W'] */
export const lowerConv2d: Lowering<"conv2d"> = (builder, op, inputs) =>
  builder.node("Conv", inputs.map((x) => x.name), { strides: op.stride, pads: op.pad });

/**
 * x [T,C,H,W], w [O,C,kt,kh,kw], bias? [O] -> [T',O,H',W']
 *
 * The taps in time become channels: frames shifted against each other are laid side by side, and one 2D convolution
 * runs over all output frames as its batch. ONNX Runtime's own 3D convolution has no blocked or packed form.
 */
export const lowerConv3d: Lowering<"conv3d"> = (builder, op, [x, w, bias], output) => {
  const [o, c, kt, kh, kw] = w.shape;
  const [frames] = output;
  const [stride, ...strides] = op.stride;
  const taps = Array.from({ length: kt }, (_, i) => {
    const range = [[i], [i + (frames - 1) * stride + 1], [0], [stride]];
    return x.shape[0] === frames ? x.name : builder.node("Slice", [x.name, ...range.map((r) => builder.integers(r))]);
  });
  const stacked = kt === 1 ? taps[0] : builder.node("Concat", taps, { axis: 1 });
  const tapsFirst = kt === 1 ? w.name : builder.node("Transpose", [w.name], { perm: [0, 2, 1, 3, 4] });
  const kernel = builder.node("Reshape", [tapsFirst, builder.integers([o, kt * c, kh, kw])]);
  return builder.node("Conv", bias ? [stacked, kernel, bias.name] : [stacked, kernel], { strides, pads: op.pad });
};
