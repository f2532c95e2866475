/**
 * The depth branch of Depth Anything 3's head.
 *
 * @module
 */
import { add, exp, relu, reshape, slice, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { PatchGrid } from "../dinov2/config.ts";
import { fuse, fusionInput, mapSize, projectTokens, resizeStage } from "../dpt/dpt.ts";
import { convolution } from "../layers/convolution.ts";
import type { ImageSize } from "../images/resample.ts";
import { resizeLinear } from "../layers/resize_linear.ts";
import { weightedNorm } from "../layers/dense.ts";
import { DA3_EPS } from "./config.ts";
import { addPlanePosition } from "./plane_position.ts";

/** Depth of every pixel and how sure the network is, with the maps on the way. */
export interface DepthMaps {
  /** [N,H,W], in units of the scene. */
  readonly depth: Value;
  /** [N,H,W], 1 or more. */
  readonly confidence: Value;
  /** Each stage at its own resolution, finest first. */
  readonly stages: readonly Value[];
  /** [N,features/2,..]: all stages in one map, before it is enlarged to the image. */
  readonly fused: Value;
}

/** Features of four layers [N,rows*columns,2D] to depth at the size of the image. */
export function depthHead(features: readonly Value[], grid: PatchGrid, image: ImageSize, weights: Weights): DepthMaps {
  const stages = features.map((tokens, level) => {
    const map = projectTokens(weightedNorm(tokens, weights.at("norm"), DA3_EPS), level, grid, weights);
    return resizeStage(addPlanePosition(map, image), level, weights);
  });
  const scratch = weights.at("scratch");
  const own = stages.map((stage, level) => fusionInput(stage, level, weights));
  let path = fuse(own[3], undefined, scratch.at("refinenet4"), mapSize(own[2]));
  path = fuse(path, own[2], scratch.at("refinenet3"), mapSize(own[1]));
  path = fuse(path, own[1], scratch.at("refinenet2"), mapSize(own[0]));
  const { height, width } = mapSize(own[0]);
  path = fuse(path, own[0], scratch.at("refinenet1"), { height: 2 * height, width: 2 * width });
  const fused = convolution(path, scratch.at("output_conv1"));
  const large = addPlanePosition(resizeLinear(fused, image.height, image.width, "corners"), image);
  const hidden = relu(convolution(large, scratch.at("output_conv2.0")));
  const logits = exp(convolution(hidden, scratch.at("output_conv2.2")));
  const channel = (c: number) =>
    reshape(slice(logits, { axis: 1, start: c, end: c + 1 }), [-1, image.height, image.width]);
  return { depth: channel(0), confidence: add(channel(1), 1), stages, fused };
}
