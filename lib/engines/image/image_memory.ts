/**
 * Memory of image models.
 *
 * @module
 */
import type { ImageModelProfile } from "../contract/model_profile.ts";
import type { ImageOrder } from "./image_operations.ts";

/** Models that together are smaller stay loaded as a whole. */
const SMALL_MODEL = 4 * 2 ** 30;

/** Tokens of an image of a megapixel, and of a reference at most. */
const MEGAPIXEL_TOKENS = 4096;

const PIXELS_PER_TOKEN = 256;

/** Of an image on its way to a PNG. */
const BYTES_PER_PIXEL = 16;

/** Bytes of weights that a loaded model keeps: all of a small one, of a large one its largest part at a time. */
export function imageModelBytes({ partBytes, wholeBytes }: ImageModelProfile): number {
  return Math.min(wholeBytes, Math.max(partBytes, SMALL_MODEL));
}

/**
 * Bytes that an image takes beside the weights, from what one of the measured size takes: as the sequence of text, image and
 * references, and as its square where that is longer than the measured one.
 */
export function imageWorkBytes(
  { width, height, pictures }: Pick<ImageOrder, "width" | "height" | "pictures">,
  { native, maxPromptTokens, workBytes }: ImageModelProfile,
): number {
  const measured = native ? native.width * native.height / PIXELS_PER_TOKEN : MEGAPIXEL_TOKENS;
  const image = native ? measured : width * height / PIXELS_PER_TOKEN;
  const length = maxPromptTokens + image + pictures.length * measured;
  const share = length / (maxPromptTokens + measured);
  return Math.ceil(workBytes * Math.max(share, share * share)) + BYTES_PER_PIXEL * width * height;
}
