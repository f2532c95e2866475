/**
 * Pictures as the encoder takes them.
 *
 * @module
 */
import { resizeImage } from "../../media/images/resize_image.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { PIXELS_PER_TOKEN } from "./autoencoder/autoencoder_graphs.ts";

/** Pixels that a reference has at most; larger ones are made smaller. */
export const REFERENCE_AREA = 1024 * 1024;

/** Width and height of a picture. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Size of a reference after it was made smaller and after it was cropped. */
export function referenceSize(
  { width, height }: PixelSize,
  area: number = REFERENCE_AREA,
): { readonly resized: PixelSize; readonly cropped: PixelSize } {
  const scale = Math.sqrt(area / (width * height));
  const resized = width * height > area
    ? { width: Math.trunc(width * scale), height: Math.trunc(height * scale) }
    : { width, height };
  const whole = (side: number) => Math.floor(side / PIXELS_PER_TOKEN) * PIXELS_PER_TOKEN;
  return { resized, cropped: { width: whole(resized.width), height: whole(resized.height) } };
}

/** The picture, at most `area` pixels large, without what goes beyond whole tokens on all sides alike. */
export function prepareReference(image: RgbImage, area: number = REFERENCE_AREA): RgbImage {
  const { resized, cropped } = referenceSize(image, area);
  const small = resizeImage(image, resized.width, resized.height, "lanczos");
  const left = Math.floor((resized.width - cropped.width) / 2);
  const top = Math.floor((resized.height - cropped.height) / 2);
  const data = new Uint8Array(3 * cropped.width * cropped.height);
  for (let y = 0; y < cropped.height; y++) {
    const from = 3 * ((top + y) * resized.width + left);
    data.set(small.data.subarray(from, from + 3 * cropped.width), 3 * y * cropped.width);
  }
  return { ...cropped, data };
}
