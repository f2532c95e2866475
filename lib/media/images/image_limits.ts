/** Most bytes of an encoded image: 32 MiB. */
export const MAX_IMAGE_BYTES: number = 32 * 1024 * 1024;

/** Most pixels of an image, by its header: 40 megapixels. */
export const MAX_IMAGE_PIXELS: number = 40_000_000;

/** Most pixels of a side: a row or column of millions takes minutes where the same number of pixels takes a second. */
export const MAX_IMAGE_SIDE: number = 32_768;
