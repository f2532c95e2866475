/**
 * The operation of image models, and the memory that models and images take.
 *
 * @module
 */
import type { ImageModelProfile } from "../contract/model_profile.ts";
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
  /** Paths of the images that it is about, in order. */
  readonly pictures: readonly string[];
  /** How much of the first image may change; without it all images are references. */
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
 * Makes an image; fails with an `SvcError` for what the model cannot honour, a prompt that is too long, an image that
 * cannot be read, and too little memory.
 */
export const makeImage: Operation<ImageOrder, ImagePreview, ImageOutcome> = operation("make_image");

/** Models that together are smaller stay loaded as a whole. */
const SMALL_MODEL = 4 * 2 ** 30;

/** Tokens of an image of a megapixel, and of a reference at most. */
const MEGAPIXEL_TOKENS = 4096;

const PIXELS_PER_TOKEN = 256;

/** Of an image on its way to a PNG. */
const BYTES_PER_PIXEL = 16;

/** Bytes of weights that a loaded model keeps: all of a small one, of a large one its largest part at a time. */
export function imageModelBytes({ partBytes, wholeBytes }: ImageModelProfile): number {
  return Math.min(wholeBytes, Math.max(partBytes, SMALL_MODEL));
}

/**
 * Bytes that an image takes beside the weights, from what one of the measured size takes: as the sequence of text, image and
 * references, and as its square where that is longer than the measured one.
 */
export function imageWorkBytes(
  { width, height, pictures }: Pick<ImageOrder, "width" | "height" | "pictures">,
  { native, maxPromptTokens, workBytes }: ImageModelProfile,
): number {
  const measured = native ? native.width * native.height / PIXELS_PER_TOKEN : MEGAPIXEL_TOKENS;
  const image = native ? measured : width * height / PIXELS_PER_TOKEN;
  const length = maxPromptTokens + image + pictures.length * measured;
  const share = length / (maxPromptTokens + measured);
  return Math.ceil(workBytes * Math.max(share, share * share)) + BYTES_PER_PIXEL * width * height;
}
