/**
 * The network of Depth Anything 3, cut where the reference view is chosen and after every layer whose output is used.
 *
 * @module
 */
import { concat, reshape, slice, type Tensor, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { DINOV2_EPS, type PatchGrid } from "../dinov2/config.ts";
import { visionBlock } from "../dinov2/vision_block.ts";
import { visionTokens } from "../dinov2/vision_transformer.ts";
import { weightedNorm } from "../layers/dense.ts";
import { DA3_EPS, type DepthAnything3Config, looksAcross } from "./config.ts";
import { placesAcrossViews, placesInView, rotaryTables } from "./rotary_tables.ts";
import { viewBlock } from "./view_block.ts";

/** Prefix of the backbone's weights. */
export const DA3_BACKBONE = "model.backbone.pretrained";

/** Outputs of the blocks within single views. */
export interface EncodedViews {
  /** [N,1+P,D] */
  readonly tokens: Value;
  /** [N,D]: class tokens one block earlier, from which the reference view is chosen. */
  readonly classTokens: Value;
}

/** Normalised views [N,3,H,W] through the blocks in which no view sees another. */
export function encodeViews(
  images: Value,
  config: DepthAnything3Config,
  weights: Weights,
  positions: Tensor,
): EncodedViews {
  const backbone = weights.at(DA3_BACKBONE);
  const { heads, dim } = config.backbone;
  let x = visionTokens(images, backbone, positions);
  let before = x;
  for (let i = 0; i < config.altStart; i++) {
    before = x;
    x = visionBlock(x, backbone.at(`blocks.${i}`), { heads, eps: DINOV2_EPS }).output;
  }
  return { tokens: x, classTokens: reshape(slice(before, { axis: 1, end: 1 }), [x.shape[0], dim]) };
}

/** Tokens of all views [views,1+P,D] with a camera token [views,D] in the place of the class token. */
export function placeCameraTokens(tokens: Value, cameras: Value): Value {
  const [views, , width] = tokens.shape;
  return concat([reshape(cameras, [views, 1, width]), slice(tokens, { axis: 1, start: 1 })], 1);
}

/** What goes from one part of the network to the next. */
export interface ViewStream {
  /** [views,1+P,D] */
  readonly x: Value;
  /** The same after the last block in which views do not see each other. */
  readonly local: Value;
}

/** The blocks from `start` to `end` (exclusive). */
export function relateViews(
  stream: ViewStream,
  start: number,
  end: number,
  grid: PatchGrid,
  config: DepthAnything3Config,
  weights: Weights,
): ViewStream {
  const [views] = stream.x.shape;
  const { heads, dim } = config.backbone;
  const tables = {
    inView: rotaryTables(placesInView(grid), views, dim / heads),
    across: rotaryTables(placesAcrossViews(grid), views, dim / heads),
  };
  let { x, local } = stream;
  for (let i = start; i < end; i++) {
    const across = looksAcross(config, i);
    const options = { heads, across, tables: across ? tables.across : tables.inView };
    x = viewBlock(x, weights.at(`${DA3_BACKBONE}.blocks.${i}`), options);
    if (!across) local = x;
  }
  return { x, local };
}

/** Both streams side by side, the second half normalised, without the camera token: [views,P,2D]. */
export function viewFeatures({ x, local }: ViewStream, weights: Weights): Value {
  const both = concat([local, weightedNorm(x, weights.at(`${DA3_BACKBONE}.norm`), DA3_EPS)], 2);
  return slice(both, { axis: 1, start: 1 });
}

/** Both streams of the camera token, not normalised: [views,2D]. */
export function cameraFeatures({ x, local }: ViewStream): Value {
  const [views, , width] = x.shape;
  return reshape(slice(concat([local, x], 2), { axis: 1, end: 1 }), [views, 2 * width]);
}
