/**
 * The operation of image models.
 *
 * @module
 */
import { type Operation, operation } from "../contract/operation.ts";

/** What to make. */
export interface ImageOrder {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  /** In decimal, 64 bits. */
  readonly seed: string;
  readonly negativePrompt?: string;
  readonly steps: number;
  readonly guidanceScale: number;
  /** Paths of the pictures that it is about, in order. */
  readonly pictures: readonly string[];
  /** How much of the first picture may change; without it all pictures are references. */
  readonly strength?: number;
  /** Steps whose previews are sent. */
  readonly previews: readonly number[];
  /** Texts that the PNG carries, by keyword. */
  readonly text: Readonly<Record<string, string>>;
  /** Bytes that programs may take. */
  readonly memoryBytes: number;
}

/** A preview: the image as it would be if what is left to do were left out. */
export interface ImagePreview {
  /** The step after which it was taken, from 1 on. */
  readonly step: number;
  readonly png: Uint8Array;
}

/** A finished image. */
export interface ImageOutcome {
  readonly png: Uint8Array;
  /** Steps that were taken; with a strength they may be fewer than were asked for. */
  readonly steps: number;
  readonly seconds: number;
}

/**
 * Makes an image; fails with an `SvcError` for what the model cannot honour, a prompt that is too long, a picture that
 * cannot be read, and too little memory.
 */
export const makeImage: Operation<ImageOrder, ImagePreview, ImageOutcome> = operation("make_image");
