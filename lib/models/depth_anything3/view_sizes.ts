/**
 * The sizes that views are brought to.
 *
 * @module
 */
import type { ImageSize } from "../images/resample.ts";
import { roundHalfToEven } from "../images/round_half_to_even.ts";

/** How an image is resized: the mean of what a pixel covers, cubic interpolation, or not at all. */
export type ResizeKernel = "area" | "cubic" | "none";

/** One resize. */
export interface ResizeStep extends ImageSize {
  readonly kernel: ResizeKernel;
}

/**
 * The two steps of a view: its longest side to the resolution, then each side to the nearest multiple of the patch (the
 * larger of two equally near ones). A side that would vanish becomes 1 pixel, which no network can read.
 */
export function viewSteps(source: ImageSize, resolution: number, patch: number): [ResizeStep, ResizeStep] {
  const longest = Math.max(source.width, source.height);
  const scale = resolution / longest;
  const side = (length: number) => Math.max(1, roundHalfToEven(length * scale));
  const first: ResizeStep = longest === resolution
    ? { width: source.width, height: source.height, kernel: "none" }
    : { width: side(source.width), height: side(source.height), kernel: scale < 1 ? "area" : "cubic" };
  const whole = (length: number) => Math.max(1, Math.floor(length / patch + 0.5) * patch);
  const [width, height] = [whole(first.width), whole(first.height)];
  const grows = width > first.width || height > first.height;
  const same = width === first.width && height === first.height;
  return [first, { width, height, kernel: same ? "none" : grows ? "cubic" : "area" }];
}

/** The size that all views are cropped to. */
export function commonSize(sizes: readonly ImageSize[]): ImageSize {
  return {
    width: Math.min(...sizes.map(({ width }) => width)),
    height: Math.min(...sizes.map(({ height }) => height)),
  };
}
