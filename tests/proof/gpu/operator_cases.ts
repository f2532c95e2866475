/**
 * The operator cases that are too large for the 64-bit reference.
 *
 * @module
 */
import { conv2d, linear, mul } from "../../../lib/compute/tensor/mod.ts";
import type { GraphCase } from "../../support/graph_cases.ts";
import { tileCases } from "../../support/tile_cases.ts";
import { tilingCases } from "../../support/tiling_cases.ts";

/** What it takes to fill a large card: tiles of 128, whole and in parts. The tests lower the number of processors. */
const cardCases: Readonly<Record<string, GraphCase>> = {
  "a product for tiles of 128": { shapes: [[1001, 150], [2045, 150]], build: ([x, w]) => linear(x, w) },
  "a product for tiles of 128 in parts": {
    shapes: [[380, 2061], [1500, 2061], [1500]],
    build: ([x, w, b]) => linear(mul(x, 0.1), w, b, "gelu"),
  },
  "a convolution for tiles of 128": {
    shapes: [[1, 20, 45, 45], [1001, 20, 3, 3], [1001]],
    build: ([x, w, b]) => conv2d(mul(x, 0.1), w, b, { pad: [1, 1, 1, 1] }),
  },
  "a convolution of even rows for tiles of 128": {
    shapes: [[1, 20, 42, 48], [1001, 20, 3, 3], [1001]],
    build: ([x, w, b]) => conv2d(mul(x, 0.1), w, b, { pad: [1, 1, 1, 1] }),
  },
  "a convolution for tiles of 128 in parts": {
    shapes: [[1, 300, 25, 25], [630, 300, 3, 3]],
    build: ([x, w]) => conv2d(mul(x, 0.1), w, undefined, { pad: [1, 1, 1, 1] }),
  },
  "a convolution of even rows for tiles of 128 in parts": {
    shapes: [[1, 300, 26, 24], [630, 300, 3, 3]],
    build: ([x, w]) => conv2d(mul(x, 0.1), w, undefined, { pad: [1, 1, 1, 1] }),
  },
};

/** By name. */
export const largerCases: Readonly<Record<string, GraphCase>> = {
  ...tileCases,
  ...Object.fromEntries(Object.entries(tilingCases).map(([name, each]) => [`${name}, by matrices`, each])),
  ...cardCases,
};
