/**
 * Images prepared for the encoder.
 *
 * @module
 */
import { cropCentre } from "../../media/images/crop_image.ts";
import { resizeImage } from "../../media/images/resize_image.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { PIXELS_PER_TOKEN } from "../image_pipeline/image_family.ts";

/** Pixels that a reference has at most; larger ones are made smaller. */
const REFERENCE_AREA: number = 1024 * 1024;

/** Width and height of an image. */
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

/** The image, at most `area` pixels large, without what goes beyond whole tokens on all sides alike. */
export function prepareReference(image: RgbImage, area: number = REFERENCE_AREA): RgbImage {
  const { resized, cropped } = referenceSize(image, area);
  const small = resizeImage(image, resized.width, resized.height, "lanczos");
  return cropCentre(small, cropped);
}
