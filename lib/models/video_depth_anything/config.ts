/**
 * What a Video Depth Anything network looks like.
 *
 * @module
 */
import type { DinoV2Config } from "../vision_transformer/dinov2_config.ts";
import type { DptConfig } from "../vision_transformer/dpt.ts";

/** Video Depth Anything (Chen et al. 2025): DINOv2 on every frame, a DPT head that looks along time. */
export interface VideoDepthConfig {
  readonly backbone: DinoV2Config;
  /** Blocks of the backbone whose outputs are used, ascending. */
  readonly take: readonly number[];
  readonly head: DptConfig;
}

/** Frames that the network sees at once. */
export const WINDOW_FRAMES = 32;

/** Frames from one window to the next. */
export const WINDOW_STEP = 22;

/** Inputs of a window that become the first inputs of the next one. */
export const KEY_INPUTS: readonly number[] = [0, 12, 24, 25, 26, 27, 28, 29, 30, 31];

/** Heads of attention along time. */
export const TEMPORAL_HEADS = 8;

/** Groups of the norm before attention along time. */
export const TEMPORAL_GROUPS = 32;
