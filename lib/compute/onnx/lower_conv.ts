/**
 * Convolutions.
 *
 * @module
 */
import { type Shape, sizeOf } from "../tensor/shape.ts";
import type { Lowering, ModelBuilder, Operand } from "./model_builder.ts";
import type { Attribute } from "./onnx_messages.ts";

/**
 * Images of frames that would take more than this together are made and convolved one after another: each frame is in
 * as many of them as the kernel has taps. It is as fast, since one image has work for all threads.
 */
const MAX_IMAGES = 16 * 2 ** 20;

/** x [N,C,H,W], w [O,C,kh,kw], bias? [O] -> [N,O,H',W'] */
export const lowerConv2d: Lowering<"conv2d"> = (builder, op, inputs) => {
  const [{ doubled }, w, bias] = inputs;
  const isSame = [...w.shape.slice(2), ...op.stride, ...op.pad].join() === "3,3,1,1,1,1,1,1";
  if (doubled && isSame) return convolveDoubled(builder, doubled, w, bias);
  return convolve(builder, inputs.map((x) => x.name), { strides: op.stride, pads: op.pad });
};

/** What the taps of three pixels are for the two different ones that lie under them: from an even pixel, and an odd. */
const DOUBLED = [[[1, 0, 0], [0, 1, 1]], [[1, 1, 0], [0, 0, 1]]];

/**
 * A 3x3 kernel over images whose pixels are doubled: x [N,C,h,w], w [O,C,3,3] -> [N,O,2h,2w].
 *
 * It sees 2x2 different pixels. So four 2x2 kernels, sums of its taps, run over the small images, one for the pixels of
 * each place in a block of 2x2: 4/9 of the products, and no image of doubled pixels in memory.
 */
function convolveDoubled(builder: ModelBuilder, x: Operand, w: Operand, bias: Operand | undefined): string {
  const [n, , h, wide] = x.shape;
  const [o, c] = w.shape;
  const places = [0, 1].flatMap((row) => [0, 1].map((column) => [row, column]));
  const sums = new Float32Array(9 * 16);
  for (const [place, [row, column]] of places.entries()) {
    for (let tap = 0; tap < 9 * 4; tap++) {
      const [from, to] = [Math.floor(tap / 4), tap % 4];
      const share = DOUBLED[row][to >> 1][Math.floor(from / 3)] * DOUBLED[column][to & 1][from % 3];
      sums[from * 16 + place * 4 + to] = share;
    }
  }
  const taps = builder.node("Reshape", [w.name, builder.integers([o * c, 9])]);
  const summed = builder.node("MatMul", [taps, builder.constant("float", [9, 16], sums)]);
  const kernels = builder.node("Transpose", [
    builder.node("Reshape", [summed, builder.integers([o, c, 4, 2, 2])]),
  ], { perm: [2, 0, 1, 3, 4] });
  const pixels = places.map(([row, column], place) => {
    const picked = builder.node("Gather", [kernels, builder.integers([place])]);
    const kernel = builder.node("Reshape", [picked, builder.integers([o, c, 2, 2])]);
    const pads = [1 - row, 1 - column, row, column];
    const image = convolve(builder, [x.name, kernel, ...bias ? [bias.name] : []], { pads });
    return builder.node("Reshape", [image, builder.integers([n, o, h, wide, 1])]);
  });
  const rows = [pixels.slice(0, 2), pixels.slice(2)].map((pair) => {
    const row = builder.node("Concat", pair, { axis: 4 });
    return builder.node("Reshape", [row, builder.integers([n, o, h, 1, 2 * wide])]);
  });
  return builder.node("Reshape", [
    builder.node("Concat", rows, { axis: 3 }),
    builder.integers([n, o, 2 * h, 2 * wide]),
  ]);
}

/**
 * x [T,C,H,W], w [O,C,kt,kh,kw], bias? [O] -> [T',O,H',W']
 *
 * ONNX Runtime's 3D convolution unrolls its input in memory, its 2D one works on blocks of channels in registers. So
 * the frames that an output frame depends on become the channels of one image, and a 2D convolution runs over these
 * images as its batch. Few output channels leave the blocks (of 8 or 16) half empty; then two output frames share an
 * image, which is faster although a quarter of the products is with zeros. Where the kernel has three taps, two frames
 * take four products a pixel instead of six, see {@linkcode convolvePairs}.
 */
export const lowerConv3d: Lowering<"conv3d"> = (builder, op, [x, w, bias], output) => {
  const [o, c, taps, kh, kw] = w.shape;
  const [, , h, wide] = x.shape;
  const [frames, , ...size] = output;
  const [stride, ...strides] = op.stride;
  const attributes = { strides, pads: op.pad };
  if (taps === 3 && stride === 1 && kh * kw > 1 && frames % 2 === 0 && builder.products === "f32") {
    if (!areLarge([frames / 2, 4 * c, h, wide])) return convolvePairs(builder, x, w, bias, attributes, output);
  }
  const together = o < 32 && taps > 1 && kh * kw > 1 && frames % 2 === 0 ? 2 : 1;
  const reach = taps + (together - 1) * stride;
  const kernel = builder.node("Reshape", [
    shiftedKernels(builder, w, together, stride),
    builder.integers([together * o, reach * c, kh, kw]),
  ]);
  const factors = [kernel];
  if (bias) factors.push(together === 1 ? bias.name : builder.node("Concat", [bias.name, bias.name], { axis: 0 }));
  const starts = Array.from({ length: frames / together }, (_, i) => i * together * stride);
  const all = [starts.length, reach * c, h, wide];
  const joined = areLarge(all)
    ? builder.node(
      "Concat",
      starts.map((start) => {
        const near = framesOf(builder, x, start, start + reach);
        const image = builder.node("Reshape", [near, builder.integers([1, ...all.slice(1)])]);
        return convolve(builder, [image, ...factors], attributes);
      }),
      { axis: 0 },
    )
    : convolve(builder, [gatherImages(builder, x, starts, reach), ...factors], attributes);
  return together === 1 ? joined : builder.node("Reshape", [joined, builder.integers([frames, o, ...size])]);
};

/**
 * x [2n+2,C,H,W], w [O,C,3,kh,kw] -> [2n,O,H',W'], by minimal filtering over time (Winograd 1980; Lavin and Gray 2016):
 * of frames d0 to d3 and taps g0 to g2,
 *
 * - the first output frame is (d0 - d2) g0 + a + b, the second (d3 - d1) g2 + a - b, with
 * - a = (d1 + d2) (g0 + g1 + g2) / 2 and b = (d2 - d1) (g0 - g1 + g2) / 2.
 *
 * A latent of the embedded worlds on one core takes 41 ms instead of 51, and in WebAssembly 103 instead of 154. Results
 * differ by what rounding makes of a sum in another order.
 */
function convolvePairs(
  builder: ModelBuilder,
  x: Operand,
  w: Operand,
  bias: Operand | undefined,
  attributes: Record<string, Attribute>,
  output: Shape,
): string {
  const [frames, o] = output;
  const [, c, , ...kernel] = w.shape;
  const images = builder.integers([frames / 2, 2 * c, ...x.shape.slice(2)]);
  // The channels of two frames lie one after another: one image.
  const [before, after] = [0, 2].map((start) =>
    builder.node("Reshape", [framesOf(builder, x, start, start + frames), images])
  );
  const [d1, d2] = [sliceOf(builder, before, 1, c, 2 * c), sliceOf(builder, after, 1, 0, c)];
  const [g0, g1, g2] = [0, 1, 2].map((tap) =>
    builder.node("Reshape", [sliceOf(builder, w.name, 2, tap, tap + 1), builder.integers([o, c, ...kernel])])
  );
  const outer = builder.node("Add", [g0, g2]);
  const [sum, difference] = ["Add", "Sub"].map((type) =>
    builder.node("Mul", [builder.node(type, [outer, g1]), builder.scalar(0.5)])
  );
  const ends = [builder.node("Concat", [g0, builder.node("Neg", [g2])], { axis: 0 })];
  if (bias) ends.push(builder.node("Concat", [bias.name, bias.name], { axis: 0 }));
  const far = convolve(builder, [builder.node("Sub", [before, after]), ...ends], { ...attributes, group: 2 });
  const a = convolve(builder, [builder.node("Add", [d1, d2]), sum], attributes);
  const b = convolve(builder, [builder.node("Sub", [d2, d1]), difference], attributes);
  const near = builder.node("Concat", ["Add", "Sub"].map((type) => builder.node(type, [a, b])), { axis: 1 });
  return builder.node("Reshape", [builder.node("Add", [far, near]), builder.integers(output)]);
}

/** x [T,C,H,W] -> [N,reach * C,H,W]: from every start so many frames as the channels of one image. */
function gatherImages(builder: ModelBuilder, x: Operand, starts: readonly number[], reach: number): string {
  const [frames, c, ...size] = x.shape;
  if (reach === 1 && starts.length === frames) return x.name;
  if (reach === frames) return builder.node("Reshape", [x.name, builder.integers([1, reach * c, ...size])]);
  const sources = starts.flatMap((start) => Array.from({ length: reach }, (_, i) => start + i));
  const gathered = builder.node("Gather", [x.name, builder.integers(sources)]);
  return builder.node("Reshape", [gathered, builder.integers([starts.length, reach * c, ...size])]);
}

/** The frames from `start` to `end`, out of what they lie in where they are joined from several values. */
function framesOf(builder: ModelBuilder, x: Operand, start: number, end: number): string {
  let first = 0;
  const near = (x.joined ?? [x]).flatMap((part) => {
    const [from, to] = [start, end].map((frame) => Math.min(Math.max(frame - first, 0), part.shape[0]));
    first += part.shape[0];
    if (from === 0 && to === part.shape[0]) return [part.name];
    return from < to ? [sliceOf(builder, part.name, 0, from, to)] : [];
  });
  return near.length === 1 ? near[0] : builder.node("Concat", near, { axis: 0 });
}

function sliceOf(builder: ModelBuilder, name: string, axis: number, start: number, end: number): string {
  return builder.node("Slice", [name, ...[start, end, axis].map((place) => builder.integers([place]))]);
}

function areLarge(images: Shape): boolean {
  return images[0] > 1 && sizeOf(images) * Float32Array.BYTES_PER_ELEMENT > MAX_IMAGES;
}

function convolve(builder: ModelBuilder, inputs: readonly string[], attributes: Record<string, Attribute>): string {
  return builder.product(builder.node("Conv", inputs.map((each) => builder.factor(each)), attributes));
}

/** w [O,C,kt,kh,kw] -> [O,kt,C,kh,kw], or for two frames [2 O,kt+stride,C,kh,kw] with the second shifted in time. */
function shiftedKernels(builder: ModelBuilder, w: Operand, frames: 1 | 2, stride: number): string {
  const tapsFirst = w.shape[2] === 1 ? w.name : builder.node("Transpose", [w.name], { perm: [0, 2, 1, 3, 4] });
  if (frames === 1) return tapsFirst;
  const padded = [[0, stride], [stride, 0]].map(([before, after]) =>
    builder.node("Pad", [tapsFirst, builder.integers([0, before, 0, 0, 0, 0, after, 0, 0, 0])])
  );
  return builder.node("Concat", padded, { axis: 0 });
}
