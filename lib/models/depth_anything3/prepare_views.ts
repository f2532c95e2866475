/**
 * Views as the network reads them.
 *
 * @module
 */
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { normaliseColours } from "../images/imagenet.ts";
import { resampleBytes } from "../images/resample_bytes.ts";
import { areaTaps, cubicKernel, interpolationTaps } from "../images/taps.ts";
import { unitPlanes } from "../images/unit_planes.ts";
import { type PixelIntrinsics, resizeIntrinsics } from "./camera.ts";
import { commonSize, type ResizeStep, viewSteps } from "./view_sizes.ts";

/** Views of one size. */
export interface PreparedViews {
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
