/**
 * Files of vision requests, as the service sees them.
 *
 * @module
 */
import type { ArtifactEntry } from "../../../engines/vision/vision_operations.ts";
import { aboutUpload, SvcError } from "../../../errors/svc_error.ts";

/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** An uploaded file. */
export interface VisionUpload {
  /** Name of its field. */
  readonly field: string;
  readonly path: string;
  readonly bytes: number;
}

/** A form of a vision route. */
export interface VisionForm {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** In the order of the body. */
  readonly files: readonly VisionUpload[];
}

/** Looks at uploads without decoding them. */
export interface UploadInspector {
  /**
   * Size of an image as it is shown.
   *
   * @throws {SvcError} `image_unsupported`, `image_too_large`, `image_damaged`.
   */
  imageSize(path: string): Promise<PixelSize>;
  /**
   * Size and number of frames of a video, of which at most `maxFrames` count.
   *
   * @throws {SvcError} `video_unsupported`, `video_damaged`.
   */
  videoFacts(path: string, maxFrames: number): Promise<PixelSize & { readonly frames: number; readonly fps: number }>;
  /** The text of a file in UTF-8; undefined when it is longer than `maxBytes` or not UTF-8. */
  readText(path: string, maxBytes: number): Promise<string | undefined>;
}

/** The files of a result while they are kept. */
export interface KeptArtifacts {
  readonly id: string;
  /** The `file://` URL of a file. */
  url(path: string): string;
}

/** A file that a client may fetch. */
export interface KeptFile {
  readonly path: string;
  readonly mediaType: string;
}

/** Keeps results for their hour. */
export interface ArtifactStore {
  /** Takes over the files in a folder, which is empty afterwards. */
  keep(folder: string, files: readonly ArtifactEntry[]): Promise<KeptArtifacts>;
  /** A file by the id of its result and its path there; undefined when it was never there or its hour is over. */
  find(id: string, path: string): KeptFile | undefined;
  /** Removes everything. */
  close(): Promise<void>;
}

/** Bytes of an encoded image, and of all of a request. */
const MAX_IMAGE_BYTES: number = 512 * 2 ** 20;
const MAX_TOTAL_BYTES: number = 2 ** 30;

/** Pixels of all images of a request. */
const MAX_TOTAL_PIXELS = 256_000_000;

/** Pixels of one image and of all of them. */
interface SourceBounds {
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
  if (large >= 0) {
    const { bytes, field } = images[large];
    throw tooLarge(action, `image ${large} has ${bytes} bytes`, `${MAX_IMAGE_BYTES}`, field);
  }
  if (total > MAX_TOTAL_BYTES) throw tooLarge(action, `the images have ${total} bytes together`, `${MAX_TOTAL_BYTES}`);
  const sizes: PixelSize[] = [];
  for (const [i, { path, field }] of images.entries()) {
    const place = images.length > 1 ? `image ${i}` : undefined;
    sizes.push(
      await files.imageSize(path).catch((error) => {
        throw aboutUpload(error, field, place);
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

function tooLarge(action: string, found: string, most: string, param = "image"): SvcError {
  const message = `Cannot ${action}: ${found}, expected at most ${most}; send smaller or fewer images`;
  return new SvcError("image_too_large", message, { param });
}
