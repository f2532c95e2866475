/**
 * Files of image requests, as the service sees them.
 *
 * @module
 */

/** An uploaded picture. */
export interface ImageUpload {
  /** Name of its field. */
  readonly field: string;
  readonly path: string;
  readonly filename?: string | undefined;
}

/** A form of an edit. */
export interface ImageForm {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** In the order of the body. */
  readonly files: readonly ImageUpload[];
}

/** What the service needs of files. */
export interface ImageFiles {
  /**
   * Size of a picture as it is shown, by its header.
   *
   * @throws {SvcError} `image_unsupported`, `image_too_large`, `image_damaged`.
   */
  size(path: string): Promise<{ readonly width: number; readonly height: number }>;
  /** Keeps a finished image for an hour and returns its `file://` URL. */
  keep(png: Uint8Array): Promise<string>;
}
