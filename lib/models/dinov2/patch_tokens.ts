/**
 * Images to tokens.
 *
 * @module
 */
import {
  add,
  broadcastTo,
  concat,
  conv2d,
  reshape,
  type Tensor,
  transpose,
  type Value,
} from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";

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
