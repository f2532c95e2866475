/**
 * Images with transparency.
 *
 * @module
 */

/** Pixels as bytes red, green, blue, alpha; row by row. */
export interface RgbaImage {
  readonly width: number;
  readonly height: number;
  /** [H,W,4]; colours are not multiplied by alpha. */
  readonly data: Uint8Array;
}
