/**
 * What a MoGe-2 network looks like.
 *
 * @module
 */
import type { DinoV2Config } from "../vision_transformer/dinov2_config.ts";

/** A stack of convolutions over five resolutions, each twice as fine as the one before. */
export interface ConvStackConfig {
  /** Residual blocks of each level. */
  readonly blocks: readonly number[];
}

/** MoGe-2 (Wang et al. 2025) with normals: a DINOv2 encoder, a neck and three heads of convolutions, a scale. */
export interface Moge2Config {
  readonly encoder: DinoV2Config;
  /** Blocks of the encoder whose outputs are used, ascending. */
  readonly take: readonly number[];
  /** Channels of each level, coarsest first. */
  readonly dims: readonly number[];
  readonly neck: ConvStackConfig;
  readonly heads: ConvStackConfig;
}

/** The heads that a network with normals has. */
export const MOGE2_HEADS = ["points_head", "normal_head", "mask_head"] as const;
