/** Why an image was refused; stable words, fit for an API. */
export type ImageErrorCode =
  /** Not one of the formats that are read. */
  | "image_unsupported"
  /** Too many bytes or too many pixels. */
  | "image_too_large"
  /** Cut off, or not what its header says. */
  | "image_damaged";

/** An image cannot be read. */
export class ImageError extends Error {
  override name = "ImageError";
  readonly code: ImageErrorCode;

  constructor(code: ImageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
