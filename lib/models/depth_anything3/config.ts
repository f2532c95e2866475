/**
 * What a Depth Anything 3 network looks like.
 *
 * @module
 */
import type { DinoV2Config } from "../dinov2/config.ts";
import type { DptConfig } from "../dpt/dpt.ts";

/** Depth Anything 3 (Lin et al. 2025): DINOv2 whose later blocks look across views, a DPT head, a camera head. */
export interface DepthAnything3Config {
  readonly backbone: DinoV2Config;
  /** First block with rotary positions, norms of queries and keys, and a camera token instead of the class token. */
  readonly altStart: number;
  /** Blocks whose outputs are used, ascending; every one looks across views. */
  readonly outLayers: readonly number[];
  readonly head: DptConfig;
  readonly cameraEncoder: { readonly heads: number; readonly depth: number };
}

/** Floor of the variance in norms outside the backbone's blocks. */
export const DA3_EPS = 1e-5;

/** Whether a block looks across views. */
export function looksAcross(config: DepthAnything3Config, block: number): boolean {
  return block >= config.altStart && block % 2 === 1;
}
