/**
 * The camera encoder and the camera head of Depth Anything 3.
 *
 * @module
 */
import { concat, reshape, type Value } from "../../compute/tensor/mod.ts";
import { dense, weightedNorm } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { visionBlock } from "../dinov2/vision_block.ts";
import { DA3_EPS, type DepthAnything3Config } from "./config.ts";

/** Tokens of known cameras and their first-layer outputs. */
export interface CameraTokens {
  /** [views,D] */
  readonly branch: Value;
  /** [views,D]: the camera token of every view. */
  readonly tokens: Value;
}

/** Encoded cameras [views,9] (see `camera_encoding.ts`) to tokens; the views see each other. */
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
