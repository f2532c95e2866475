/**
 * Image models as the server knows them.
 *
 * @module
 */

/** Engines of image models. */
export type ImageEngineId = "flux2" | "z-image";

/** An image model, as its files describe it. Plain data: it is stored and sent between processes. */
export interface ImageModelProfile {
  readonly kind: "image";
  readonly engine: ImageEngineId;
  /** Tokens that a prompt has at most. */
  readonly maxPromptTokens: number;
  /** Denoising steps where a request says nothing. */
  readonly steps: number;
  /** Guidance where a request says nothing. */
  readonly guidance: number;
  /** Whether it can take a second pass: guidance above 1 and negative prompts need one. */
  readonly secondPass: boolean;
  /** False for a model that looks at no other images; an image can then only be what it begins with. */
  readonly takesReferences?: boolean;
  /** The one size that it makes, where it does not make all: widths up to this one; images are stretched from it. */
  readonly native?: { readonly width: number; readonly height: number };
  /** Bytes of its largest part while that is loaded: no image can be made with less. */
  readonly partBytes: number;
  /** Bytes when all parts stay loaded. */
  readonly wholeBytes: number;
  /** Bytes of inputs and results of an image of 1024x1024 pixels, or of the native size. */
  readonly workBytes: number;
}
