/**
 * Products and convolutions for every division of matrix tiles: tiles of 128 and of 64, in parts that are added up, and
 * with rows that are read four pixels at a time.
 *
 * @module
 */
import {
  add,
  concat,
  conv2d,
  conv3d,
  linear,
  matmul,
  mul,
  quantize,
  quantizedLinear,
  relu,
  silu,
  upsample,
} from "../../lib/compute/tensor/mod.ts";
import { type GraphCase, products, waves } from "./graph_cases.ts";

/** A case, what its tiles are to be, and on how many processors they are. */
export interface TiledCase extends GraphCase {
  readonly tiling: string;
  readonly processors?: number;
}

/** By name. */
export const tilingCases: Readonly<Record<string, TiledCase>> = {
  "a product at odd sizes": {
    ...{ tiling: "128", processors: 1, shapes: [[251, 19], [253, 19]] },
    build: ([x, w]) => linear(x, w),
  },
  "a batch of products of even sizes": {
    ...{ tiling: "128", processors: 1, shapes: [[2, 252, 44], [2, 44, 256]] },
    build: ([a, b]) => matmul(a, b),
  },
  "a long product at odd sizes": {
    ...{ tiling: "128 in parts", processors: 12, shapes: [[251, 2061], [253, 2061], [253]] },
    build: ([x, w, b]) => linear(mul(x, 0.1), w, b, "gelu"),
  },
  "a long layer with bias and activation": {
    ...{ tiling: "64 in parts", shapes: [[37, 1043], [70, 1043], [70]] },
    build: ([x, w, b]) => linear(mul(x, 0.1), w, b, "silu"),
  },
  "a batch of long products of even sizes": {
    ...{ tiling: "64 in parts", shapes: [[3, 70, 600], [3, 600, 36]] },
    build: ([a, b]) => matmul(mul(a, 0.1), b),
  },
  "a long quantised layer": {
    ...{ tiling: "64 in parts", shapes: [[37, 1040], [72]] },
    build: ([x, b]) => quantizedLinear(mul(x, 0.1), quantize(waves(72, 1040), { bits: 8 }), b, "silu"),
  },
  "a long quantised layer at odd sizes": {
    ...{ tiling: "64 in parts", shapes: [[37, 1043]] },
    build: ([x]) => quantizedLinear(mul(x, 0.1), quantize(waves(71, 1043), { bits: 4, groupSize: 16 })),
  },
  "a convolution of even rows": {
    ...{ tiling: "128 wide", processors: 1, shapes: [[1, 20, 16, 16], [250, 20, 3, 3], [250]] },
    build: ([x, w, b]) => conv2d(mul(x, 0.1), w, b, { pad: [1, 1, 1, 1] }),
  },
  "a convolution of many channels, added to an image and activated": {
    ...{ tiling: "64 in parts wide", shapes: [[1, 70, 6, 8], [68, 70, 3, 3], [68], [1, 68, 6, 8]] },
    build: ([x, w, b, r]) => silu(add(conv2d(mul(x, 0.1), w, b, { pad: [1, 1, 1, 1] }), r)),
  },
  "a convolution of frames after a past at odd sizes": {
    ...{ tiling: "64 in parts", shapes: [[2, 41, 5, 7], [3, 41, 5, 7], [66, 41, 3, 3, 3], [3, 66, 5, 7]] },
    build: ([past, x, w, r]) => add(conv3d(concat([past, x], 0), w, undefined, { pad: [1, 1, 1, 1] }), r),
  },
  "a convolution of even frames after a past": {
    ...{ tiling: "64 in parts wide", shapes: [[2, 40, 4, 12], [3, 40, 4, 12], [66, 40, 3, 3, 3]] },
    build: ([past, x, w]) => conv3d(concat([past, x], 0), w, undefined, { pad: [1, 1, 1, 1] }),
  },
  "a convolution of images enlarged twice, phase by phase, added to an image": {
    ...{ tiling: "64 in parts wide", shapes: [[2, 140, 3, 8], [2, 66, 6, 16]] },
    build: ([x, r]) => {
      const weight = { ...waves(66, 140 * 9), shape: [66, 140, 3, 3] };
      return relu(add(conv2d(upsample(x, 2), x.graph.constant(weight), undefined, { pad: [1, 1, 1, 1] }), r));
    },
  },
  "a strided convolution of frames after a past at odd sizes": {
    ...{ tiling: "64", ...products["a strided convolution of frames after a past at odd sizes"] },
  },
  "a convolution that sees far to both sides": {
    ...{ tiling: "64 in parts wide", shapes: [[1, 20, 5, 8], [70, 20, 2, 14]] },
    build: ([x, w]) => conv2d(x, w, undefined, { stride: [2, 1], pad: [0, 9, 1, 4] }),
  },
  "a convolution of single pixels": {
    ...{ tiling: "64 wide", shapes: [[2, 36, 6, 12], [66, 36, 1, 1]] },
    build: ([x, w]) => conv2d(x, w),
  },
};
