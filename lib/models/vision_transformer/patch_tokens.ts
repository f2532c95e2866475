/**
 * Images to tokens, and learned positions of patches on grids of another size.
 *
 * @module
 */
import {
  add,
  broadcastTo,
  concat,
  conv2d,
  f32,
  reshape,
  type Tensor,
  toFloat32,
  transpose,
  type Value,
} from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { cubicKernel, interpolationTaps, resampleAxis } from "../images/resample.ts";
import type { PatchGrid } from "./dinov2_config.ts";

/** Images [N,3,rows*patch,columns*patch] cut into patches, each a token: [N,rows*columns,D]. */
export function embedPatches(images: Value, weights: Weights): Value {
  const g = images.graph;
  const [d, , patch] = weights.get("weight").shape;
  const map = conv2d(images, weights.in(g, "weight"), weights.in(g, "bias"), { stride: [patch, patch] });
  const [n, , rows, columns] = map.shape;
  return transpose(reshape(map, [n, d, rows * columns]), [0, 2, 1]);
}

/** The class token in front of the patches [N,P,D], and positions [1+P,D] on all: [N,1+P,D]. */
export function placeTokens(patches: Value, classToken: Value, positions: Tensor): Value {
  const [n, , d] = patches.shape;
  const first = broadcastTo(reshape(classToken, [1, 1, d]), [n, 1, d]);
  return add(concat([first, patches], 1), patches.graph.constant(positions));
}

/**
 * How far two patches lie apart in the table. `offset` is what the PyTorch code of DINO and DINOv2 does: side / (n + 0.1),
 * once meant to keep a division from falling short of a whole number; `size` is the plain side / n of ONNX exports.
 */
export type PositionStep = "offset" | "size";

const OFFSET = 0.1;
const tableKernel = cubicKernel(-0.75);

/**
 * The table [1,1+side*side,D] (class token first) on another grid, resized bicubically: [1+rows*columns,D]. It stays
 * as it is when the grid is the table's own.
 */
export function positionTable(table: Tensor, { rows, columns }: PatchGrid, step: PositionStep): Tensor<"f32"> {
  const [, length, width] = table.shape;
  const side = Math.round(Math.sqrt(length - 1));
  const stored = toFloat32(table);
  if (rows === side && columns === side) return f32([length, width], stored);
  const extra = step === "offset" ? OFFSET : 0;
  const taps = (n: number) => interpolationTaps(side, n, tableKernel, side / (n + extra));
  const wide = resampleAxis(stored.subarray(width), side, side, width, taps(columns));
  const patches = resampleAxis(wide, 1, side, columns * width, taps(rows));
  const out = new Float32Array((1 + rows * columns) * width);
  out.set(stored.subarray(0, width));
  out.set(patches, width);
  return f32([1 + rows * columns, width], out);
}
