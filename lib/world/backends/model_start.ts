/** The default start of a walk: an image that comes with the model, and its prompt. */
export interface ModelStart {
  /** A PNG file. */
  readonly image: Uint8Array;
  /** Describes the image as in the training data. */
  readonly prompt: string;
}
