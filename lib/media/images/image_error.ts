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
  /** Always `ImageError`. */
  override name = "ImageError";
  /** Which of the reasons it is. */
  readonly code: ImageErrorCode;

  /** An error with its reason and a sentence for people. */
  constructor(code: ImageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
