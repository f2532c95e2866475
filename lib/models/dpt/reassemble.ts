/**
 * Tokens back to maps of four resolutions.
 *
 * @module
 */
import { reshape, transpose, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { PatchGrid } from "../dinov2/config.ts";
import { convolution } from "../layers/convolution.ts";
import { transposedConvolution } from "../layers/transposed_convolution.ts";

/** Feature map `level` projected to its channels; patches [N,rows*columns,D] -> [N,C,rows,columns]. */
export function projectTokens(patches: Value, level: number, { rows, columns }: PatchGrid, weights: Weights): Value {
  const [n, , d] = patches.shape;
  const map = reshape(transpose(patches, [0, 2, 1]), [n, d, rows, columns]);
  return convolution(map, weights.at(`projects.${level}`));
}

/** The map of `level` at its own resolution: four times, twice, once and half of the patches' grid. */
export function resizeStage(map: Value, level: number, weights: Weights): Value {
  const layer = weights.at(`resize_layers.${level}`);
  if (level < 2) return transposedConvolution(map, layer);
  return level === 2 ? map : convolution(map, layer, { stride: 2 });
}

/** The map of `level` with the channels in which maps are fused. */
export function fusionInput(stage: Value, level: number, weights: Weights): Value {
  return convolution(stage, weights.at(`scratch.layer${level + 1}_rn`));
}
