/**
 * The size of a latent frame.
 *
 * @module
 */

/** Rows and columns of a latent frame. */
export interface LatentSize {
  readonly height: number;
  readonly width: number;
}
