/**
 * Maps of several resolutions into one.
 *
 * @module
 */
import { add, relu, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { convolution } from "../layers/convolution.ts";
import { resizeLinear } from "../layers/resize_linear.ts";

/**
 * One fusion block: what comes from coarser maps plus this resolution's own map, at the size of the next one. The 1x1
 * convolution comes before the resize instead of after it, which gives the same and costs less.
 *
 * Shapes: coarse [N,C,H,W], own [N,C,H,W] -> [N,C,height,width].
 */
export function fuse(
  coarse: Value,
  own: Value | undefined,
  weights: Weights,
  { height, width }: { readonly height: number; readonly width: number },
): Value {
  const joined = own ? add(coarse, residualUnit(own, weights.at("resConfUnit1"))) : coarse;
  const mixed = convolution(residualUnit(joined, weights.at("resConfUnit2")), weights.at("out_conv"));
  return resizeLinear(mixed, height, width, "corners");
}

/** Height and width of a map [N,C,H,W]. */
export function mapSize(map: Value): { readonly height: number; readonly width: number } {
  return { height: map.shape[2], width: map.shape[3] };
}

/** x + conv2(relu(conv1(relu(x)))) */
function residualUnit(x: Value, weights: Weights): Value {
  const hidden = convolution(relu(x), weights.at("conv1"));
  return add(x, convolution(relu(hidden), weights.at("conv2")));
}
