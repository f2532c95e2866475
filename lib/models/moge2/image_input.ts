/**
 * What MoGe-2's encoder looks at: how many patches an image is cut into, and the image resized to them.
 *
 * @module
 */
import { f32, type Tensor } from "../../compute/tensor/mod.ts";
import { normaliseColours } from "../images/planes.ts";
import {
  antialiasedTaps,
  type ImageSize,
  interpolationTaps,
  linearKernel,
  resamplePlanes,
} from "../images/resample.ts";
import { roundHalfToEven } from "../images/round_half_to_even.ts";
import type { PatchGrid } from "../vision_transformer/dinov2_config.ts";
import type { PositionStep } from "../vision_transformer/patch_tokens.ts";

/** Most patches of one image. */
export const MAX_MOGE2_TOKENS = 3600;

/** Finest resolution level. */
const MAX_RESOLUTION_LEVEL = 9;

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

/** How images and positions are resized: as the PyTorch code does, or as it does when it exports to ONNX. */
export interface Moge2Resizing {
  readonly antialias: boolean;
  readonly positions: PositionStep;
}

/** The PyTorch code's way. */
export const TORCH_RESIZING: Moge2Resizing = { antialias: true, positions: "offset" };

/** The way of the published ONNX files. */
export const ONNX_RESIZING: Moge2Resizing = { antialias: false, positions: "size" };

/** An image [3,H,W] in 0..1 resized to whole patches: [1,3,14*rows,14*columns] in 0..1. */
export function resizeToPatches(
  planes: Float32Array,
  image: ImageSize,
  grid: PatchGrid,
  patch: number,
  { antialias }: Moge2Resizing,
): Tensor<"f32"> {
  const to = { width: grid.columns * patch, height: grid.rows * patch };
  const taps = antialias ? antialiasedTaps : interpolationTaps;
  const resized = resamplePlanes(planes, image, to, (size, target) => taps(size, target, linearKernel));
  return f32([1, 3, to.height, to.width], resized === planes ? resized.slice() : resized);
}

/** The same with the colours normalised in place. */
export function normaliseImage(image: Tensor<"f32">): Tensor<"f32"> {
  normaliseColours(image.data);
  return image;
}
