/** Where a walk may start when nobody says otherwise: a picture that a model brings along and the words for it. */
export interface ModelStart {
  /** A PNG file. */
  readonly image: Uint8Array;
  /** Describes the image in the words that the model was trained with. */
  readonly prompt: string;
}
