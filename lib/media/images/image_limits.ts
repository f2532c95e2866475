/** Bounds of an image that is decoded. */
export interface ImageLimits {
  /** Of the encoded image. */
  readonly bytes: number;
  /** By its header. */
  readonly pixels: number;
  readonly side: number;
}

/** Most bytes of an encoded image: 32 MiB. */
export const MAX_IMAGE_BYTES: number = 32 * 1024 * 1024;

/** Most pixels of an image, by its header: 40 megapixels. */
export const MAX_IMAGE_PIXELS: number = 40_000_000;

/** Most pixels of a side: a row or column of millions takes minutes where the same number of pixels takes a second. */
export const MAX_IMAGE_SIDE: number = 32_768;

/** The bounds of images that others are made from. */
export const IMAGE_LIMITS: ImageLimits = { bytes: MAX_IMAGE_BYTES, pixels: MAX_IMAGE_PIXELS, side: MAX_IMAGE_SIDE };

/** The bounds of images that geometry is found in. */
export const VISION_IMAGE_LIMITS: ImageLimits = { bytes: 512 * 2 ** 20, pixels: 64_000_000, side: 16_384 };
