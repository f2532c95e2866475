/**
 * The size of a latent frame.
 *
 * @module
 */

/** Rows and columns of a latent frame. */
export interface LatentSize {
  /** Rows. */
  readonly height: number;
  /** Columns. */
  readonly width: number;
}
