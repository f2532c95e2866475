/**
 * The depth head, the camera encoder and the camera head of Depth Anything 3.
 *
 * @module
 */
import { add, concat, exp, f32, relu, reshape, slice, type Value } from "../../compute/tensor/mod.ts";
import { dense, weightedNorm } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { planeCoordinates } from "../images/planes.ts";
import type { ImageSize } from "../images/resample.ts";
import { convolution } from "../layers/convolution.ts";
import { resizeLinear } from "../layers/resize_linear.ts";
import { visionBlock } from "../vision_transformer/dinov2.ts";
import type { PatchGrid } from "../vision_transformer/dinov2_config.ts";
import { fuse, fusionInput, mapSize, projectTokens, resizeStage } from "../vision_transformer/dpt.ts";
import { DA3_EPS, type DepthAnything3Config } from "./config.ts";

/** Depth of every pixel and how sure the network is, with the maps on the way. */
interface DepthMaps {
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

const BASE = 100;
const WEIGHT = 0.1;

/**
 * Adds a tenth of the sines and cosines of plane coordinates: the first half of the channels encodes columns, the
 * second rows, each half sines before cosines.
 *
 * Shapes: map [N,C,H,W] with C a multiple of 4 -> same.
 */
export function addPlanePosition(map: Value, image: ImageSize): Value {
  const [, channels, height, width] = map.shape;
  const { x, y } = planeCoordinates({ width, height }, image.width / image.height);
  const columns = f32([channels, 1, width], waves(x, channels, 0));
  const rows = f32([channels, height, 1], waves(y, channels, channels / 2));
  return add(add(map, map.graph.constant(columns)), map.graph.constant(rows));
}

/** [channels,places] with waves in half of the channels from `first` on and zeros in the others. */
function waves(places: Float64Array, channels: number, first: number): Float32Array {
  const count = channels / 4;
  const out = new Float32Array(channels * places.length);
  for (let i = 0; i < count; i++) {
    const frequency = 1 / BASE ** (i / count);
    places.forEach((place, p) => {
      out[(first + i) * places.length + p] = WEIGHT * Math.sin(place * frequency);
      out[(first + count + i) * places.length + p] = WEIGHT * Math.cos(place * frequency);
    });
  }
  return out;
}

/** Tokens of known cameras and their first-layer outputs. */
interface CameraTokens {
  /** [views,D] */
  readonly branch: Value;
  /** [views,D]: the camera token of every view. */
  readonly tokens: Value;
}

/** Encoded cameras [views,9] (see `camera.ts`) to tokens; the views see each other. */
export function encodeCameras(encoding: Value, config: DepthAnything3Config, weights: Weights): CameraTokens {
  const views = encoding.shape[0];
  const { dim } = config.backbone;
  const { heads, depth } = config.cameraEncoder;
  const branch = dense(dense(encoding, weights.at("pose_branch.fc1"), "geluErf"), weights.at("pose_branch.fc2"));
  let x = reshape(weightedNorm(branch, weights.at("token_norm"), DA3_EPS), [1, views, dim]);
  for (let i = 0; i < depth; i++) x = visionBlock(x, weights.at(`trunk.${i}`), { heads, eps: DA3_EPS }).output;
  return { branch, tokens: reshape(weightedNorm(x, weights.at("trunk_norm"), DA3_EPS), [views, dim]) };
}

/** Camera features [views,2D] to poses [views,9]: translation, quaternion x, y, z, w, vertical and horizontal angle. */
export function cameraHead(features: Value, weights: Weights): Value {
  const hidden = dense(dense(features, weights.at("backbone.0"), "relu"), weights.at("backbone.2"), "relu");
  return concat([
    dense(hidden, weights.at("fc_t")),
    dense(hidden, weights.at("fc_qvec")),
    dense(hidden, weights.at("fc_fov.0"), "relu"),
  ], 1);
}
