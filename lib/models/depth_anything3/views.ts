/**
 * Views as the network reads them: the size they are brought to, and how.
 *
 * @module
 */
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { normaliseColours, unitPlanes } from "../images/planes.ts";
import { areaTaps, cubicKernel, type ImageSize, interpolationTaps, resampleBytes } from "../images/resample.ts";
import { roundHalfToEven } from "../images/round_half_to_even.ts";
import { type PixelIntrinsics, resizeIntrinsics } from "./camera.ts";

/** Views of one size. */
interface PreparedViews {
  readonly width: number;
  readonly height: number;
  /** The views in bytes. */
  readonly images: readonly RgbImage[];
  /** Each [3,H,W], colours normalised. */
  readonly planes: readonly Float32Array[];
  /** Of each view, where they were given. */
  readonly intrinsics: readonly (PixelIntrinsics | undefined)[];
}

const cubic = cubicKernel(-0.75);

/** A view resized to whole patches, bytes after each step. */
export function resizeView(image: RgbImage, resolution: number, patch: number): RgbImage {
  return viewSteps(image, resolution, patch).reduce(resizeStep, image);
}

/** Resizes all views and crops them around their centres to the smallest width and height among them. */
export function prepareViews(
  images: readonly RgbImage[],
  intrinsics: readonly (PixelIntrinsics | undefined)[],
  resolution: number,
  patch: number,
): PreparedViews {
  const resized = images.map((image) => resizeView(image, resolution, patch));
  const size = commonSize(resized);
  const corners = resized.map(({ width, height }) => [(width - size.width) >> 1, (height - size.height) >> 1]);
  const cropped = resized.map((image, i) => crop(image, corners[i][0], corners[i][1], size.width, size.height));
  return {
    ...size,
    images: cropped,
    planes: cropped.map((image) => normaliseColours(unitPlanes(image))),
    intrinsics: intrinsics.map((k, i) => k && resizeIntrinsics(k, images[i], resized[i], corners[i])),
  };
}

function resizeStep(image: RgbImage, step: ResizeStep): RgbImage {
  if (step.kernel === "none") return image;
  const taps = step.kernel === "area"
    ? areaTaps
    : (size: number, target: number) => interpolationTaps(size, target, cubic);
  return resampleBytes(image, step, taps);
}

function crop(image: RgbImage, left: number, top: number, width: number, height: number): RgbImage {
  if (width === image.width && height === image.height) return image;
  const data = new Uint8Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    const from = 3 * ((top + row) * image.width + left);
    data.set(image.data.subarray(from, from + 3 * width), 3 * row * width);
  }
  return { width, height, data };
}

/** How an image is resized: the mean of what a pixel covers, cubic interpolation, or not at all. */
type ResizeKernel = "area" | "cubic" | "none";

/** One resize. */
interface ResizeStep extends ImageSize {
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
