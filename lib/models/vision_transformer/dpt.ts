/**
 * The head of a dense prediction transformer: its sizes, its parts, and its weights.
 *
 * @module
 */
import { add, relu, reshape, type Shape, transpose, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { convolution, transposedConvolution } from "../layers/convolution.ts";
import { resizeLinear } from "../layers/resize_linear.ts";
import type { TensorCensus } from "../vision/network_sizes.ts";
import { addPair, type PatchGrid } from "./dinov2_config.ts";

/** Widths of a DPT head (Ranftl et al. 2021) over four feature maps of a vision transformer. */
export interface DptConfig {
  /** Channels of the features that go in. */
  readonly input: number;
  /** Channels of each map after its projection, finest first. */
  readonly channels: readonly [number, number, number, number];
  /** Channels while maps are fused. */
  readonly features: number;
}

/** Channels of the hidden layer at full size, the same in every published head. */
const DPT_OUTPUT_WIDTH = 32;

/** Reads the sizes of the head below `prefix`. */
export function readDptConfig(census: TensorCensus, prefix: string): DptConfig {
  const channels = (level: number) => census.size(`${prefix}projects.${level}.weight`, 0);
  return {
    input: census.size(`${prefix}projects.0.weight`, 1),
    channels: [channels(0), channels(1), channels(2), channels(3)],
    features: census.size(`${prefix}scratch.layer1_rn.weight`, 0),
  };
}

/** Adds the weights below `prefix`; `outputs` is what the last convolution gives. */
export function addDptShapes(shapes: Map<string, Shape>, prefix: string, c: DptConfig, outputs: number): void {
  const conv = (name: string, output: number, input: number, kernel: number) =>
    addPair(shapes, `${prefix}${name}`, [output, input, kernel, kernel], output);
  const { channels, features } = c;
  channels.forEach((width, level) => {
    conv(`projects.${level}`, width, c.input, 1);
    if (level < 2) addPair(shapes, `${prefix}resize_layers.${level}`, [width, width, 4 >> level, 4 >> level], width);
    if (level === 3) conv("resize_layers.3", width, width, 3);
    shapes.set(`${prefix}scratch.layer${level + 1}_rn.weight`, [features, width, 3, 3]);
    const block = `scratch.refinenet${level + 1}`;
    // The coarsest block has nothing to add its own map to.
    for (const unit of level < 3 ? ["resConfUnit1", "resConfUnit2"] : ["resConfUnit2"]) {
      conv(`${block}.${unit}.conv1`, features, features, 3);
      conv(`${block}.${unit}.conv2`, features, features, 3);
    }
    conv(`${block}.out_conv`, features, features, 1);
  });
  conv("scratch.output_conv1", features / 2, features, 3);
  conv("scratch.output_conv2.0", DPT_OUTPUT_WIDTH, features / 2, 3);
  conv("scratch.output_conv2.2", outputs, DPT_OUTPUT_WIDTH, 1);
}

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
