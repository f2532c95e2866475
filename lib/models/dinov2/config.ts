/**
 * What a DINOv2 network looks like.
 *
 * @module
 */

/** Widths and depths of a DINOv2 vision transformer (Oquab et al. 2023). */
export interface DinoV2Config {
  /** Channels per token. */
  readonly dim: number;
  /** Number of blocks. */
  readonly depth: number;
  /** Attention heads of a block. */
  readonly heads: number;
  /** Width of the hidden layer of a block. */
  readonly hidden: number;
  /** Pixels on the side of a patch. */
  readonly patch: number;
  /** Patches on the side of the square that the position table was trained on. */
  readonly grid: number;
}

/** Rows and columns of patches. */
export interface PatchGrid {
  readonly rows: number;
  readonly columns: number;
}

/** Floor of the variance in every norm of DINOv2. */
export const DINOV2_EPS = 1e-6;
