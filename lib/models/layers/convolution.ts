/**
 * Convolutions over images with their weights, and the borders that go with them.
 *
 * @module
 */
import {
  add,
  concat,
  conv2d,
  type ImagePadding,
  matmul,
  reshape,
  slice,
  transpose,
  type Value,
} from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";

/** `weight` [O,C,k,k] and, where the model has one, `bias` [O] with zeros around; x [N,C,H,W] -> [N,O,H/stride,W/stride]. */
export function convolution(x: Value, weights: Weights, { stride = 1 }: { readonly stride?: number } = {}): Value {
  const [, , kh, kw] = weights.get("weight").shape;
  const pad: ImagePadding = [kh >> 1, kw >> 1, kh >> 1, kw >> 1];
  const bias = weights.has("bias") ? weights.in(x.graph, "bias") : undefined;
  return conv2d(x, weights.in(x.graph, "weight"), bias, { stride: [stride, stride], pad });
}

/**
 * Every pixel becomes k x k pixels: a matrix product and a change of order. `weight` [C,O,k,k], stride k, `bias` [O].
 *
 * Shapes: x [N,C,H,W] -> [N,O,kH,kW].
 */
export function transposedConvolution(x: Value, weights: Weights): Value {
  const g = x.graph;
  const [n, c, h, w] = x.shape;
  const [, o, k] = weights.get("weight").shape;
  const kernel = transpose(weights.in(g, "weight", [c, o * k * k]), [1, 0]);
  const cells = reshape(matmul(kernel, reshape(x, [n, c, h * w])), [n, o, k, k, h, w]);
  const pixels = reshape(transpose(cells, [0, 1, 4, 2, 5, 3]), [n, o, h * k, w * k]);
  return add(pixels, weights.in(g, "bias", [o, 1, 1]));
}

/** One more row and column on every side; x [N,C,H,W] -> [N,C,H+2,W+2]. */
export function replicatePad(x: Value): Value {
  return repeatEnds(repeatEnds(x, 2), 3);
}

function repeatEnds(x: Value, axis: number): Value {
  return concat([slice(x, { axis, end: 1 }), x, slice(x, { axis, start: -1 })], axis);
}
