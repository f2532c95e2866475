/**
 * Tokens of three planes.
 *
 * @module
 */
import { reshape, transpose, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { transposedConvolution } from "../layers/convolution.ts";

/** Tokens [3*S*S,C] (plane, row, column) to planes twice as fine, [3,O,2S,2S]. */
export function tokensToPlanes(tokens: Value, weights: Weights): Value {
  const [count, width] = tokens.shape;
  const side = Math.round(Math.sqrt(count / 3));
  const maps = transpose(reshape(tokens, [3, side * side, width]), [0, 2, 1]);
  return transposedConvolution(reshape(maps, [3, width, side, side]), weights);
}
