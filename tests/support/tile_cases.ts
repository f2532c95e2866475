/**
 * Programs for kernels that are only chosen for larger or even sizes.
 *
 * @module
 */
import {
  add,
  attention,
  concat,
  conv2d,
  conv3d,
  layerNorm,
  linear,
  mul,
  quantize,
  quantizedLinear,
  reduceMax,
  reduceMean,
  reduceMin,
  reduceSum,
  rmsNorm,
  rope,
  silu,
  slice,
  softmax,
  upsample,
} from "../../lib/compute/tensor/mod.ts";
import { type GraphCase, products, waves } from "./graph_cases.ts";

/** By name, with the shapes of what they are fed. */
export const tileCases: Readonly<Record<string, GraphCase>> = {
  ...products,
  "a layer as wide as those of large models": { shapes: [[130, 776], [3072, 776]], build: ([x, w]) => linear(x, w) },
  "a quantised layer in tiles": {
    shapes: [[129, 64], [3076]],
    build: ([x, b]) => quantizedLinear(x, quantize(waves(3076, 64), { bits: 8 }), b, "silu"),
  },
  "a 4-bit layer in tiles": {
    shapes: [[129, 64], [3076]],
    build: ([x, b]) => quantizedLinear(x, quantize(waves(3076, 64), { bits: 4 }), b, "gelu"),
  },
  "a convolution of enlarged images in tiles": {
    shapes: [[48, 20, 3, 2], [68, 20, 3, 3], [68]],
    build: ([x, w, b]) => conv2d(upsample(x, 2), w, b, { pad: [1, 1, 1, 1] }),
  },
  "a convolution in tiles at odd sizes, added to an image and activated": {
    shapes: [[50, 20, 7, 5], [68, 20, 3, 3], [68], [50, 68, 7, 5]],
    build: ([x, w, b, r]) => silu(add(conv2d(x, w, b, { pad: [1, 1, 1, 1] }), r)),
  },
  "a convolution of images enlarged twice, phase by phase, added to an image": {
    shapes: [[3, 20, 13, 11], [70], [3, 70, 26, 22]],
    build: ([x, b, r]) => {
      const weight = { ...waves(70, 180), shape: [70, 20, 3, 3] };
      return add(r, conv2d(upsample(x, 2), x.graph.constant(weight), b, { pad: [1, 1, 1, 1] }));
    },
  },
  "a convolution of frames after a past in tiles, added to frames": {
    shapes: [[19, 5, 9, 11], [31, 5, 9, 11], [67, 5, 3, 3, 3], [48, 67, 9, 11]],
    build: ([past, x, w, r]) => add(conv3d(concat([past, x], 0), w, undefined, { pad: [1, 1, 1, 1] }), r),
  },
  "a convolution in tiles of rows that are multiples of four, added to an image and activated": {
    shapes: [[48, 20, 3, 8], [68, 20, 3, 5], [68], [48, 68, 3, 8]],
    build: ([x, w, b, r]) => silu(add(conv2d(x, w, b, { pad: [1, 3, 1, 1] }), r)),
  },
  "a convolution of images enlarged twice whose rows are multiples of four": {
    shapes: [[12, 20, 3, 4], [70]],
    build: ([x, b]) => {
      const weight = { ...waves(70, 180), shape: [70, 20, 3, 3] };
      return conv2d(upsample(x, 2), x.graph.constant(weight), b, { pad: [1, 1, 1, 1] });
    },
  },
  "a convolution of frames after a past whose rows are multiples of four": {
    shapes: [[2, 5, 3, 8], [48, 5, 3, 8], [66, 5, 3, 3, 3]],
    build: ([past, x, w]) => conv3d(concat([past, x], 0), w, undefined, { pad: [1, 1, 1, 1] }),
  },
  "a residual block at the width of a published autoencoder": {
    shapes: [[1, 256, 7, 9], [2, 256, 7, 9], [256]],
    build: ([past, x, gamma]) => {
      const weight = x.graph.constant({ ...waves(256, 6912), shape: [256, 256, 3, 3, 3] });
      const y = silu(rmsNorm(x, gamma, { axis: 1, eps: 1e-24 }));
      const seen = concat([past, y], 0);
      return add(conv3d(seen, mul(weight, 0.02), undefined, { pad: [1, 1, 1, 1] }), slice(x, { axis: 0, end: 1 }));
    },
  },
  "attention of very wide heads at odd sizes": {
    shapes: [[33, 1, 131], [65, 1, 131], [65, 1, 131]],
    build: ([q, k, v]) => attention(q, k, v),
  },
  "attention of many queries, heads as wide as those of large models": {
    shapes: [[67, 2, 128], [43, 2, 128], [43, 2, 128]],
    build: ([q, k, v]) => attention(q, k, v),
  },
  "attention of many queries at odd widths, with batches and a bias that hides keys": {
    shapes: [[2, 66, 2, 61], [2, 9, 2, 61], [2, 9, 2, 35], [2, 1, 1, 9], [2, 1, 1, 9]],
    // A bias that is far below any logit for about half of the keys.
    build: ([q, k, v, a, b]) => attention(q, k, v, { scale: 0.4, bias: add(mul(silu(mul(a, 400)), -80), b) }),
  },
  "four neighbours at a time with one number for each row": {
    shapes: [[5, 3, 8], [5, 1, 1], [8], [3, 1]],
    build: ([x, a, b, c]) => add(mul(add(x, a), b), c),
  },
  "norms of long rows": { shapes: [[3, 700]], build: ([x]) => rmsNorm(x) },
  "norms of rows whose length is not a multiple of four": { shapes: [[3, 701]], build: ([x]) => layerNorm(x) },
  "norms of short rows, four at a time": {
    shapes: [[70, 20], [20], [20]],
    build: ([x, weight, bias]) => layerNorm(x, weight, bias),
  },
  "norms over channels of images of a multiple of four, with weights": {
    shapes: [[2, 12, 6, 10], [12]],
    build: ([x, weight]) => rmsNorm(x, weight, { axis: 1 }),
  },
  "norms over channels of images of four pixels": {
    shapes: [[3, 9, 2, 2]],
    build: ([x]) => rmsNorm(x, undefined, { axis: 1 }),
  },
  "sums over many short columns of a multiple of four": {
    shapes: [[2, 3, 1000]],
    build: ([x]) => reduceSum(x, [1]),
  },
  "highest of long columns of a multiple of four": { shapes: [[2, 301, 12]], build: ([x]) => reduceMax(x, [1]) },
  "lowest of long rows": { shapes: [[3, 2044]], build: ([x]) => reduceMin(x, [1]) },
  "lowest of rows whose length is not a multiple of four": { shapes: [[3, 37]], build: ([x]) => reduceMin(x, [1]) },
  "softmax of short rows, four at a time": { shapes: [[37, 8]], build: ([x]) => softmax(x) },
  "softmax of rows whose length is not a multiple of four": { shapes: [[3, 703]], build: ([x]) => softmax(x) },
  "rotated halves of wide heads": {
    shapes: [[5, 3, 24], [5, 12], [5, 12]],
    build: ([x, c, s]) => rope(x, c, s, "halves"),
  },
  "rotated neighbours of wide heads": {
    shapes: [[5, 3, 24], [5, 12], [5, 12]],
    build: ([x, c, s]) => rope(x, c, s, "neighbours"),
  },
  "softmax of long rows": { shapes: [[3, 700]], build: ([x]) => softmax(x) },
  "means of many short columns": { shapes: [[2, 3, 1000]], build: ([x]) => reduceMean(x, [1]) },
  "norms over channels of large images, then silu": {
    shapes: [[2, 12, 17, 31]],
    build: ([x]) => silu(rmsNorm(x, undefined, { axis: 1, eps: 1e-24 })),
  },
};
