/**
 * A convolution over images with its weights.
 *
 * @module
 */
import { conv2d, type ImagePadding, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";

/** `weight` [O,C,k,k] and, where the model has one, `bias` [O] with zeros around; x [N,C,H,W] -> [N,O,H/stride,W/stride]. */
export function convolution(x: Value, weights: Weights, { stride = 1 }: { readonly stride?: number } = {}): Value {
  const [, , kh, kw] = weights.get("weight").shape;
  const pad: ImagePadding = [kh >> 1, kw >> 1, kh >> 1, kw >> 1];
  const bias = weights.has("bias") ? weights.in(x.graph, "bias") : undefined;
  return conv2d(x, weights.in(x.graph, "weight"), bias, { stride: [stride, stride], pad });
}
