/**
 * What a DINO network looks like.
 *
 * @module
 */

/** Widths and depths of a DINO vision transformer (Caron et al. 2021). */
export interface DinoConfig {
  /** Channels per token. */
  readonly dim: number;
  readonly depth: number;
  readonly heads: number;
  /** Width of the hidden layer of a block. */
  readonly hidden: number;
  /** Pixels on the side of a patch. */
  readonly patch: number;
  /** Patches on the side of the square that the position table was trained on. */
  readonly grid: number;
  /** Width of the vector that shifts and scales the norms, where the network has one. */
  readonly condition?: number | undefined;
}

/** Floor of the variance in every norm of DINO. */
export const DINO_EPS = 1e-12;
