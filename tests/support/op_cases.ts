/**
 * Small graphs at odd sizes that cover every operator: each device runs them against the reference.
 *
 * @module
 */
import { Graph, type Value } from "../../lib/compute/tensor/graph.ts";
import { floatToBfloat, floatToHalf } from "../../lib/compute/tensor/half.ts";
import { attention, rope } from "../../lib/compute/tensor/ops/attention.ts";
import { conv2d, conv3d } from "../../lib/compute/tensor/ops/conv.ts";
import * as elementwise from "../../lib/compute/tensor/ops/elementwise.ts";
import {
  broadcastTo,
  concat,
  gather,
  pad,
  reshape,
  slice,
  transpose,
  upsample,
} from "../../lib/compute/tensor/ops/layout.ts";
import { linear, matmul, quantizedLinear } from "../../lib/compute/tensor/ops/matmul.ts";
import {
  layerNorm,
  reduceMax,
  reduceMean,
  reduceMin,
  reduceSum,
  rmsNorm,
  softmax,
} from "../../lib/compute/tensor/ops/norm.ts";
import { quantize, type QuantizedMatrix, quantizedMatrix } from "../../lib/compute/tensor/quantized_matrix.ts";
import { type Shape, sizeOf } from "../../lib/compute/tensor/shape.ts";
import { f32, i32, type Tensor, tensor } from "../../lib/compute/tensor/tensor.ts";
import { seededRandom } from "./random.ts";

/** One graph with what it is fed. */
export interface OpCase {
  readonly name: string;
  readonly graph: Graph;
  readonly feeds: Readonly<Record<string, Tensor>>;
}

class Sketch {
  readonly graph = new Graph();
  readonly feeds: Record<string, Tensor> = {};
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** A fed value within the range. */
  x(shape: Shape, low = -2, high = 2): Value {
    return this.#feed(this.#floats(shape, low, high));
  }

  /** Fed indices. */
  ints(shape: Shape, values: readonly number[]): Value {
    return this.#feed(i32(shape, values));
  }

  /** A constant. */
  w(shape: Shape): Value {
    return this.graph.constant(this.#floats(shape, -1, 1));
  }

  /** A quantised matrix with random numbers; zero points where they are asked for. */
  quantized(bits: 4 | 8, rows: number, columns: number, groupSize: number, zeroPoints = false): QuantizedMatrix {
    const groups = Math.ceil(columns / groupSize);
    const bytes = (shape: Shape, end: number) =>
      tensor("u8", shape, Uint8Array.from({ length: sizeOf(shape) }, () => Math.floor(end * this.#random())));
    return quantizedMatrix({
      bits,
      shape: [rows, columns],
      values: bytes([rows, groups * groupSize * bits / 8], 256),
      scales: this.#floats([rows, groups], -1 / 2 ** bits, 1 / 2 ** bits),
      ...(zeroPoints && { zeroPoints: bytes([rows, groups], 2 ** bits) }),
    });
  }

  /** A constant that is stored in 16 bits. */
  w16(dtype: "f16" | "bf16", shape: Shape): Value {
    const narrow = dtype === "f16" ? floatToHalf : floatToBfloat;
    return this.graph.constant(tensor(dtype, shape, Uint16Array.from(this.#floats(shape, -1, 1).data, narrow)));
  }

  #feed(t: Tensor): Value {
    const name = `x${Object.keys(this.feeds).length}`;
    this.feeds[name] = t;
    return this.graph.input(name, t.shape, t.dtype === "i32" ? "int" : "float");
  }

  #floats(shape: Shape, low: number, high: number): Tensor<"f32"> {
    return f32(shape, Float32Array.from({ length: sizeOf(shape) }, () => low + (high - low) * this.#random()));
  }
}

const builders: Record<string, (s: Sketch) => Value> = {
  "log of positive numbers": (s) => elementwise.log(s.x([7, 5], 0.1, 4)),
  "sqrt of positive numbers": (s) => elementwise.sqrt(s.x([7, 5], 0.1, 4)),
  "rsqrt of positive numbers": (s) => elementwise.rsqrt(s.x([7, 5], 0.1, 4)),
  "reciprocal of positive numbers": (s) => elementwise.reciprocal(s.x([7, 5], 0.1, 4)),
  "div by positive numbers": (s) => elementwise.div(s.x([3, 1, 5]), s.x([4, 1], 0.5, 2)),
  "unary of a scalar": (s) => elementwise.exp(s.x([])),
  "binary with a number": (s) => elementwise.sub(1, elementwise.mul(s.x([3, 5]), 2.5)),
  "clamp": (s) => elementwise.clamp(s.x([5, 7]), -0.5, 1.25),
  "cast to int and back": (s) => elementwise.cast(elementwise.cast(s.x([5, 7], -9, 9), "int"), "float"),
  "elementwise chain with broadcasts": (s) =>
    elementwise.tanh(elementwise.add(elementwise.mul(elementwise.silu(s.x([3, 5, 7])), s.w([5, 1])), s.w([7]))),

  "matmul": (s) => matmul(s.x([5, 7]), s.x([7, 3])),
  "matmul of one row": (s) => matmul(s.x([1, 33]), s.w([33, 65])),
  "matmul with tiles at the edges": (s) => matmul(s.x([67, 35]), s.w([35, 70])),
  "matmul with transposed b, bias and activation": (s) =>
    matmul(s.x([9, 19]), s.w([11, 19]), { transposeB: true, bias: s.w([11]), activation: "gelu" }),
  "matmul with batches": (s) => matmul(s.x([3, 5, 7]), s.x([3, 7, 2])),
  "matmul with broadcast batches": (s) => matmul(s.x([2, 1, 5, 7]), s.x([3, 4, 7]), { transposeB: true }),
  "matmul with batches, bias and activation": (s) =>
    matmul(s.x([2, 5, 7]), s.x([2, 7, 3]), { bias: s.x([3]), activation: "relu" }),
  "linear over three axes": (s) => linear(s.x([2, 5, 7]), s.w([13, 7]), s.w([13]), "silu"),
  "linear with exact gelu": (s) => linear(s.x([5, 7]), s.w([6, 7]), undefined, "geluErf"),
  "linear with f16 weights": (s) => linear(s.x([5, 37]), s.w16("f16", [11, 37]), s.w16("f16", [11])),
  "linear with bf16 weights": (s) => linear(s.x([5, 37]), s.w16("bf16", [11, 37]), s.w16("bf16", [11])),

  "a linear layer of 8 bits": (s) => quantizedLinear(s.x([5, 64]), s.quantized(8, 12, 64, 32), s.w([12]), "silu"),
  "a linear layer of 4 bits": (s) => quantizedLinear(s.x([5, 64]), s.quantized(4, 12, 64, 32), s.w([12]), "gelu"),
  "a quantised layer with one column and one row": (s) => quantizedLinear(s.x([1, 1]), s.quantized(8, 1, 1, 16)),
  "a quantised layer with zero points": (s) => quantizedLinear(s.x([3, 160]), s.quantized(8, 7, 160, 32, true)),
  "a 4-bit layer with zero points and an odd number of groups": (s) =>
    quantizedLinear(s.x([11, 95]), s.quantized(4, 9, 95, 32, true), s.w([9])),
  "a quantised layer of odd sizes over three axes": (s) =>
    quantizedLinear(s.x([2, 7, 37]), s.quantized(4, 13, 37, 16), s.w([13]), "relu"),
  "a quantised layer with a group that is longer than a row": (s) =>
    quantizedLinear(s.x([20, 41]), s.quantized(8, 6, 41, 256)),
  "a quantised layer of many rows": (s) => quantizedLinear(s.x([70, 48]), s.quantized(8, 36, 48, 16), s.w([36])),
  "a quantised layer with 16-bit scales": (s) => {
    const weight = quantize(f32([9, 70], Float32Array.from({ length: 630 }, (_, i) => Math.sin(i))), { bits: 4 });
    return quantizedLinear(s.x([4, 70]), weight);
  },

  "attention": (s) => attention(s.x([5, 3, 8]), s.x([7, 3, 8]), s.x([7, 3, 8])),
  "attention of odd widths with a scale": (s) =>
    attention(s.x([9, 2, 5]), s.x([37, 2, 5]), s.x([37, 2, 3]), { scale: 0.3 }),
  "attention over many keys": (s) => attention(s.x([40, 6, 32]), s.x([150, 6, 32]), s.x([150, 6, 32])),
  "attention over slices of one projection": (s) => {
    const x = s.x([37, 3, 2, 8]);
    const [q, k, v] = [0, 1, 2].map((i) => slice(x, { axis: 1, start: i, end: i + 1 }));
    return attention(q, k, v);
  },
  "attention of one head as wide as an image": (s) => attention(s.x([6, 1, 48]), s.x([6, 1, 48]), s.x([6, 1, 48])),
  "attention with a full bias": (s) =>
    attention(s.x([5, 2, 4]), s.x([7, 2, 4]), s.x([7, 2, 4]), { bias: s.x([2, 5, 7]) }),
  "attention with a bias for each key": (s) =>
    attention(s.x([5, 2, 4]), s.x([7, 2, 4]), s.x([7, 2, 4]), { bias: s.x([7]) }),
  "attention with batches": (s) => attention(s.x([3, 5, 2, 4]), s.x([3, 7, 2, 4]), s.x([3, 7, 2, 4])),
  "attention with batches and a bias for each head": (s) =>
    attention(s.x([3, 5, 2, 4]), s.x([3, 7, 2, 4]), s.x([3, 7, 2, 4]), { bias: s.x([2, 1, 7]) }),
  "rope": (s) => rope(s.x([5, 3, 8]), s.x([5, 4], -1, 1), s.x([5, 4], -1, 1)),
  "rope with constant tables": (s) => rope(s.x([7, 2, 6]), s.w([7, 3]), s.w([7, 3])),
  "rope over halves": (s) => rope(s.x([5, 3, 10]), s.x([5, 5], -1, 1), s.x([5, 5], -1, 1), "halves"),

  "conv2d": (s) => conv2d(s.x([1, 3, 7, 5]), s.w([4, 3, 3, 3]), s.w([4]), { pad: [1, 1, 1, 1] }),
  "conv2d without padding or bias": (s) => conv2d(s.x([3, 5, 6, 9]), s.w([7, 5, 2, 3])),
  "conv2d of single pixels": (s) => conv2d(s.x([2, 17, 5, 7]), s.w([19, 17, 1, 1]), s.w([19])),
  "conv2d with stride and uneven padding": (s) =>
    conv2d(s.x([2, 4, 9, 7]), s.w([16, 4, 3, 3]), s.w([16]), { stride: [2, 2], pad: [0, 0, 1, 1] }),
  "conv2d with many channels": (s) => conv2d(s.x([2, 48, 6, 5]), s.w([33, 48, 3, 3]), s.w([33]), { pad: [1, 1, 1, 1] }),
  "conv2d of an image enlarged twice": (s) =>
    conv2d(upsample(s.x([3, 5, 3, 5]), 2), s.w([6, 5, 3, 3]), s.w([6]), { pad: [1, 1, 1, 1] }),
  "conv2d of an image enlarged twice, four outputs at a time": (s) =>
    conv2d(upsample(s.x([1, 2, 4, 1]), 2), s.w([8, 2, 3, 3]), undefined, { pad: [1, 1, 1, 1] }),
  "conv2d of an image enlarged twice, with f16 weights": (s) =>
    conv2d(upsample(s.x([1, 2, 1, 2]), 2), s.w16("f16", [3, 2, 3, 3]), undefined, { pad: [1, 1, 1, 1] }),
  "conv2d of an image enlarged twice without padding": (s) => conv2d(upsample(s.x([1, 2, 3, 3]), 2), s.w([3, 2, 3, 3])),
  "conv2d of an image enlarged twice by a computed kernel": (s) =>
    conv2d(upsample(s.x([1, 2, 3, 3]), 2), s.x([3, 2, 3, 3]), undefined, { pad: [1, 1, 1, 1] }),
  "conv2d of an enlarged image at odd sizes": (s) =>
    conv2d(upsample(s.x([2, 3, 4, 3]), 3), s.w([5, 3, 4, 2]), s.w([5]), { stride: [2, 1], pad: [1, 0, 3, 2] }),
  "conv2d with a computed kernel": (s) => conv2d(s.x([1, 2, 5, 5]), s.x([3, 2, 3, 3]), s.x([3])),
  "conv3d": (s) => conv3d(s.x([5, 3, 7, 6]), s.w([4, 3, 3, 3, 3]), s.w([4]), { pad: [1, 1, 1, 1] }),
  "conv3d of frames after a past": (s) =>
    conv3d(concat([s.x([2, 3, 5, 4]), s.x([3, 3, 5, 4])], 0), s.w([6, 3, 3, 3, 3]), s.w([6]), { pad: [1, 1, 1, 1] }),
  "conv3d without bias": (s) => conv3d(s.x([3, 12, 5, 7]), s.w([12, 12, 3, 3, 3]), undefined, { pad: [1, 1, 1, 1] }),
  "conv3d to an even number of frames": (s) =>
    conv3d(s.x([6, 5, 4, 7]), s.w([12, 5, 3, 3, 3]), s.w([12]), { pad: [1, 1, 1, 1] }),
  "conv3d to an even number of frames with stride": (s) =>
    conv3d(s.x([8, 2, 5, 5]), s.w([3, 2, 2, 3, 2]), s.w([3]), { stride: [2, 1, 2], pad: [1, 0, 0, 1] }),
  "conv3d with many channels": (s) =>
    conv3d(s.x([4, 48, 4, 5]), s.w([48, 48, 3, 3, 3]), s.w([48]), { pad: [1, 1, 1, 1] }),
  "conv3d of time only": (s) => conv3d(s.x([6, 5, 3, 4]), s.w([10, 5, 3, 1, 1]), s.w([10])),
  "conv3d with stride in time": (s) => conv3d(s.x([5, 4, 3, 3]), s.w([4, 4, 3, 1, 1]), s.w([4]), { stride: [2, 1, 1] }),
  "conv3d with all strides": (s) =>
    conv3d(s.x([6, 2, 7, 9]), s.w([3, 2, 2, 3, 3]), s.w([3]), { stride: [2, 2, 3], pad: [0, 1, 1, 0] }),
  "conv3d of single frames": (s) => conv3d(s.x([3, 7, 4, 5]), s.w([5, 7, 1, 1, 1]), s.w([5])),
  "conv3d with a computed kernel": (s) => conv3d(s.x([4, 2, 4, 4]), s.x([3, 2, 3, 3, 3])),

  "rmsNorm": (s) => rmsNorm(s.x([5, 37]), s.w([37])),
  "rmsNorm without weight": (s) => rmsNorm(s.x([3, 5, 7]), undefined, { eps: 1e-3 }),
  "rmsNorm over channels": (s) => rmsNorm(s.x([3, 13, 5, 7]), s.w([13]), { axis: 1, eps: 1e-24 }),
  "rmsNorm over channels without weight": (s) => rmsNorm(s.x([2, 48, 3, 3]), undefined, { axis: 1 }),
  "rmsNorm over the first axis": (s) => rmsNorm(s.x([7, 5]), s.w([7]), { axis: 0 }),
  "rmsNorm over channels, then silu": (s) =>
    elementwise.silu(rmsNorm(s.x([4, 12, 6, 5]), s.w([12]), { axis: 1, eps: 1e-24 })),
  "layerNorm": (s) => layerNorm(s.x([5, 37]), s.w([37]), s.w([37])),
  "layerNorm without bias": (s) => layerNorm(s.x([3, 5, 7]), s.w([7])),
  "layerNorm without parameters": (s) => layerNorm(s.x([5, 9]), undefined, undefined, 1e-5),
  "softmax": (s) => softmax(s.x([3, 5, 37], -30, 30)),
  "softmax of a vector": (s) => softmax(s.x([9])),

  "reshape": (s) => reshape(elementwise.neg(s.x([3, 4, 5])), [2, -1]),
  "transpose of two axes": (s) => transpose(s.x([35, 67]), [1, 0]),
  "transpose of four axes": (s) => transpose(s.x([2, 3, 4, 5]), [2, 0, 3, 1]),
  "transpose of five axes": (s) => transpose(s.x([2, 3, 2, 5, 3]), [4, 2, 0, 3, 1]),
  "transpose of blocks and of what follows them": (s) => transpose(s.x([2, 3, 2, 2, 5, 7]), [0, 4, 3, 5, 2, 1]),
  "transpose of the middle to the end": (s) => transpose(s.x([2, 3, 5, 7]), [0, 2, 3, 1]),
  "slice": (s) => slice(s.x([6, 7, 5]), { axis: 0, start: 1, end: -1 }, { axis: 2, start: 1, step: 2 }),
  "concat of three": (s) => concat([s.x([3, 2, 4]), s.x([3, 5, 4]), s.x([3, 1, 4])], 1),
  "concat of the same value": (s) => {
    const x = s.x([2, 3]);
    return concat([x, x], 0);
  },
  "concat of many": (s) => concat(Array.from({ length: 11 }, (_, i) => s.x([2, i % 3 + 1])), 1),
  "pad": (s) => pad(s.x([2, 3, 4]), [1, 0, 2], [0, 3, 1]),
  "gather of rows": (s) => gather(s.x([7, 5]), s.ints([2, 3], [6, 0, 3, 3, 1, 2])),
  "gather along the last axis": (s) => gather(s.x([3, 7]), s.ints([4], [6, 0, 3, 3]), 1),
  "gather of integers": (s) => elementwise.cast(gather(s.ints([5], [9, 7, 5, 3, 1]), s.ints([3], [4, 0, 2])), "float"),
  "broadcastTo": (s) => broadcastTo(s.x([3, 1, 5]), [2, 3, 4, 5]),
  "broadcastTo along one axis": (s) => broadcastTo(s.x([3, 1, 5]), [3, 4, 5]),
  "broadcastTo along the last axis": (s) => broadcastTo(s.x([3, 5, 1]), [3, 5, 2]),
  "broadcastTo many copies": (s) => broadcastTo(s.x([1, 3]), [11, 3]),
  "broadcastTo more axes": (s) => broadcastTo(s.x([3]), [2, 1, 3]),
  "broadcastTo with leading axes of one": (s) => broadcastTo(s.x([3]), [1, 1, 3]),
  "broadcastTo of a scalar": (s) => broadcastTo(s.x([]), [5]),
  "upsample of a whole video": (s) => upsample(s.x([2, 2, 2, 3, 2]), 2),
  "upsample": (s) => upsample(s.x([2, 3, 4, 5]), 2),
  "upsample by three": (s) => upsample(s.x([3, 2, 5]), 3),

  "reduceSum": (s) => reduceSum(s.x([3, 5, 7]), [1]),
  "reduceMean over two axes": (s) => reduceMean(s.x([3, 5, 7]), [0, 2]),
  "reduceMax": (s) => reduceMax(s.x([3, 5, 7]), [-1]),
  "reduceMin over everything": (s) => reduceMin(s.x([3, 5, 37]), [0, 1, 2]),

  "a constant as output": (s) => s.w([3, 5]),
  "an input as output": (s) => s.x([3, 5]),
};

const unaryNames = ["neg", "abs", "exp", "square", "sin", "cos", "tanh", "sigmoid", "relu", "silu", "gelu", "geluErf"];
for (const name of unaryNames as (keyof typeof elementwise)[]) {
  builders[name] = (s) => (elementwise[name] as (x: Value) => Value)(s.x([3, 5, 17], -6, 6));
}
for (const fn of ["add", "sub", "mul", "min", "max"] as const) {
  builders[`${fn} with broadcasts`] = (s) => elementwise[fn](s.x([3, 1, 5]), s.x([4, 1]));
  builders[`${fn} of equal shapes`] = (s) => elementwise[fn](s.x([3, 7]), s.x([3, 7]));
}

/** Builds all cases, each with its own seed; the output is called `y`. */
export function opCases(): OpCase[] {
  return Object.entries(builders).map(([name, build], i) => {
    const sketch = new Sketch(i + 1);
    sketch.graph.output("y", build(sketch));
    return { name, graph: sketch.graph, feeds: sketch.feeds };
  });
}
