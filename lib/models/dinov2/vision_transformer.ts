/**
 * The vision transformer DINOv2 (Oquab et al. 2023) as a feature extractor.
 *
 * @module
 */
import { reshape, slice, type Tensor, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { weightedNorm } from "../layers/dense.ts";
import { DINOV2_EPS, type DinoV2Config } from "./config.ts";
import { embedPatches, placeTokens } from "./patch_tokens.ts";
import { visionBlock } from "./vision_block.ts";

/** What one block gave after the final norm. */
export interface VisionFeatures {
  /** [N,rows*columns,D] */
  readonly patches: Value;
  /** [N,D] */
  readonly classToken: Value;
}

/** Tokens [N,1+P,D] of normalised images [N,3,H,W] before the first block. */
export function visionTokens(images: Value, weights: Weights, positions: Tensor): Value {
  const patches = embedPatches(images, weights.at("patch_embed.proj"));
  return placeTokens(patches, weights.in(images.graph, "cls_token"), positions);
}

/** Outputs of the blocks `take` (ascending) after the final norm, of normalised images [N,3,H,W]. */
export function visionFeatures(
  images: Value,
  config: DinoV2Config,
  weights: Weights,
  positions: Tensor,
  take: readonly number[],
): VisionFeatures[] {
  const features: VisionFeatures[] = [];
  let x = visionTokens(images, weights, positions);
  for (let i = 0; i <= take[take.length - 1]; i++) {
    x = visionBlock(x, weights.at(`blocks.${i}`), { heads: config.heads, eps: DINOV2_EPS }).output;
    if (take.includes(i)) features.push(splitClass(weightedNorm(x, weights.at("norm"), DINOV2_EPS)));
  }
  return features;
}

/** Tokens [N,1+P,D] as patches and class token. */
export function splitClass(tokens: Value): VisionFeatures {
  const [n, , d] = tokens.shape;
  return {
    patches: slice(tokens, { axis: 1, start: 1 }),
    classToken: reshape(slice(tokens, { axis: 1, end: 1 }), [n, d]),
  };
}
