/**
 * Sizes of image files.
 *
 * @module
 */
import { imageSize } from "../../media/images/decode_image.ts";
import type { ImageLimits } from "../../media/images/image_format.ts";
import { openFileReader } from "../../platform/files/read_part.ts";

/** Bytes that tell the format of an image, and hold the header of a BMP. */
const HEAD: number = 16 * 1024;

/**
 * The size that an image will have, read from its header alone, however large the file is.
 *
 * @throws {SvcError} `image_unsupported`, `image_too_large`, `image_damaged`.
 */
export async function imageFileSize(
  path: string,
  limits: ImageLimits,
): Promise<{ readonly width: number; readonly height: number }> {
  const file = await openFileReader(path);
  try {
    const head = await file.read(0, HEAD);
    return await imageSize({ path, bytes: file.size, head }, limits);
  } finally {
    await file.close();
  }
}
