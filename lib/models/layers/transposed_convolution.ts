/**
 * Transposed convolution whose kernels do not overlap.
 *
 * @module
 */
import { add, matmul, reshape, transpose, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";

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
