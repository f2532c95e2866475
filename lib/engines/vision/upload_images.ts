/**
 * Reads the images that an operation is given.
 *
 * @module
 */
import { decodeImage, decodeRgbaImage } from "../../media/images/decode_image.ts";
import { VISION_IMAGE_LIMITS } from "../../media/images/image_limits.ts";
import type { RgbaImage } from "../../media/images/rgba_image.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { readFile } from "../../platform/files/file_system.ts";

/** An image without transparency. */
export async function readRgbImage(path: string): Promise<RgbImage> {
  return await decodeImage(new Uint8Array(await readFile(path)), VISION_IMAGE_LIMITS);
}

/** An image with its transparency. */
export async function readRgbaImage(path: string): Promise<RgbaImage> {
  return await decodeRgbaImage(new Uint8Array(await readFile(path)), VISION_IMAGE_LIMITS);
}
