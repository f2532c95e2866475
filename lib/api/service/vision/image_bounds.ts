/**
 * Bounds of the images of a vision request, checked before any is decoded.
 *
 * @module
 */
import { aboutUpload } from "../../../errors/about_upload.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import type { PixelSize, UploadInspector, VisionUpload } from "./vision_files.ts";

/** Bytes of an encoded image, and of all of a request. */
const MAX_IMAGE_BYTES: number = 512 * 2 ** 20;
const MAX_TOTAL_BYTES: number = 2 ** 30;

/** Pixels of all images of a request. */
const MAX_TOTAL_PIXELS = 256_000_000;

/** Pixels of one image and of all of them. */
export interface SourceBounds {
  readonly each: number;
  readonly total: number;
}

/** What views that are related to each other may have. */
export const MULTIVIEW_SOURCES: SourceBounds = { each: 8192 ** 2, total: 2 * 8192 ** 2 };

/**
 * Sizes of images by their headers: bytes of each and of all first, then sides and pixels of each, then of all.
 *
 * @throws {SvcError} `image_too_large`, `image_unsupported`, `image_damaged`.
 */
export async function checkImages(
  action: string,
  images: readonly VisionUpload[],
  files: Pick<UploadInspector, "imageSize">,
): Promise<PixelSize[]> {
  const total = images.reduce((sum, { bytes }) => sum + bytes, 0);
  const large = images.findIndex(({ bytes }) => bytes > MAX_IMAGE_BYTES);
  if (large >= 0) throw tooLarge(action, `image ${large} has ${images[large].bytes} bytes`, `${MAX_IMAGE_BYTES}`);
  if (total > MAX_TOTAL_BYTES) throw tooLarge(action, `the images have ${total} bytes together`, `${MAX_TOTAL_BYTES}`);
  const sizes: PixelSize[] = [];
  for (const [i, { path }] of images.entries()) {
    const place = images.length > 1 ? `image ${i}` : undefined;
    sizes.push(
      await files.imageSize(path).catch((error) => {
        throw aboutUpload(error, "image", place);
      }),
    );
  }
  checkSources(action, sizes, { each: Infinity, total: MAX_TOTAL_PIXELS });
  return sizes;
}

/**
 * Checks pixels.
 *
 * @throws {SvcError} `image_too_large`.
 */
export function checkSources(action: string, sizes: readonly PixelSize[], { each, total }: SourceBounds): void {
  const large = sizes.findIndex(({ width, height }) => width * height > each);
  if (large >= 0) {
    const { width, height } = sizes[large];
    throw tooLarge(action, `image ${large} has ${width}x${height} pixels`, `${each} pixels`);
  }
  const all = sizes.reduce((sum, { width, height }) => sum + width * height, 0);
  if (all > total) throw tooLarge(action, `the images have ${all} pixels together`, `${total}`);
}

function tooLarge(action: string, found: string, most: string): SvcError {
  const message = `Cannot ${action}: ${found}, expected at most ${most}; send smaller or fewer images`;
  return new SvcError("image_too_large", message, { param: "image" });
}
