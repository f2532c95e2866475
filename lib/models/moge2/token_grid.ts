/**
 * How many patches an image is cut into.
 *
 * @module
 */
import type { ImageSize } from "../images/resample.ts";
import { roundHalfToEven } from "../images/round_half_to_even.ts";
import type { PatchGrid } from "../vision_transformer/dinov2_config.ts";

/** Most patches of one image. */
export const MAX_MOGE2_TOKENS = 3600;

/** Finest resolution level. */
export const MAX_RESOLUTION_LEVEL = 9;

/** Patches that a resolution level (0 to 9) asks for. */
export function tokensOfLevel(level: number): number {
  return Math.trunc(1200 + level / MAX_RESOLUTION_LEVEL * 2400);
}

/** Rows and columns closest to this many patches in the image's shape; one can be 0 for a thin image. */
export function tokenGrid(tokens: number, { width, height }: ImageSize): PatchGrid {
  const aspect = width / height;
  return {
    rows: roundHalfToEven(Math.sqrt(tokens / aspect)),
    columns: roundHalfToEven(Math.sqrt(tokens * aspect)),
  };
}
