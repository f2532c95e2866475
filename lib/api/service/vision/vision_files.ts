/**
 * Files of vision requests, as the service sees them.
 *
 * @module
 */
import type { ArtifactEntry } from "../../../engines/vision/vision_operations.ts";

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
