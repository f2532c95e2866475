/**
 * What is asked of an image model, and whether it can be done.
 *
 * @module
 */
import { invalidField, unsupportedParameter } from "../../errors/svc_error.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { type PixelSize, referenceSize } from "../flux2/reference_image.ts";
import { type ImageFamily, PIXELS_PER_TOKEN } from "./image_family.ts";

/** An image to be made. */
export interface ImageRequest {
  readonly prompt: string;
  /** What the image should not show; only models with a second pass take one. */
  readonly negativePrompt?: string | undefined;
  /** A multiple of 16 up to 4096; default the model's. */
  readonly width?: number | undefined;
  /** A multiple of 16 up to 4096; default the model's. */
  readonly height?: number | undefined;
  /** 1 to 100; default the model's. */
  readonly steps?: number | undefined;
  /** Weight of the prompt; above 1 only for models with a second pass. */
  readonly guidanceScale?: number | undefined;
  /** Unsigned, 64 bits. Equal requests with equal seeds give equal images on a device. */
  readonly seed: bigint;
  /** Images that the prompt is about, at least 64 pixels a side with an aspect ratio of at most 8:1. */
  readonly references?: readonly RgbImage[] | undefined;
  /** An image to begin with instead of noise. */
  readonly start?: {
    /** Of any size; it is cut to the proportions of the output. */
    readonly image: RgbImage;
    /** 0 to 1: how much of it may change. */
    readonly strength: number;
  } | undefined;
}

/** A request with everything decided. */
export interface ResolvedRequest extends ImageRequest {
  readonly width: number;
  readonly height: number;
  readonly steps: number;
  readonly guidanceScale: number;
  readonly references: readonly RgbImage[];
}

const MAX_SIDE = 4096;
const MAX_PIXELS = 4_194_304;
const MAX_STEPS = 100;
/** Reference images of a request. */
export const MAX_REFERENCES: number = 8;
const MIN_REFERENCE_SIDE = 64;
const MAX_ASPECT = 8;

/**
 * Fills in the model's defaults.
 *
 * @throws {SvcError} for the first field that is invalid or that the model cannot honour.
 */
export function resolveRequest(request: ImageRequest, family: ImageFamily): ResolvedRequest {
  const [width, height] = [request.width ?? family.defaultSize[0], request.height ?? family.defaultSize[1]];
  const { steps = family.defaultSteps, guidanceScale = family.defaultGuidance, references = [], start } = request;
  const refuse = (param: string, found: string, expected: string): never => {
    throw invalidField(param, `Cannot make an image: ${found}, expected ${expected}`);
  };
  const whole = (n: number) => Number.isInteger(n) && n >= PIXELS_PER_TOKEN && n % PIXELS_PER_TOKEN === 0;
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS || !whole(width) || !whole(height)) {
    refuse(
      "size",
      `the size is ${width}x${height}`,
      `multiples of 16 up to ${MAX_SIDE} with at most ${MAX_PIXELS} pixels`,
    );
  }
  if (!Number.isInteger(steps) || steps < 1 || steps > MAX_STEPS) {
    refuse("steps", `steps is ${steps}`, `a whole number from 1 to ${MAX_STEPS}`);
  }
  if (!Number.isFinite(guidanceScale) || guidanceScale < 0) {
    refuse("guidance_scale", `guidance_scale is ${guidanceScale}`, "a number from 0 on");
  }
  if (start && !(start.strength >= 0 && start.strength <= 1)) {
    refuse("strength", `strength is ${start.strength}`, "a number from 0 to 1");
  }
  if (request.seed < 0n || request.seed >= 2n ** 64n) refuse("seed", `seed is ${request.seed}`, "0 to 2^64 - 1");
  if (references.length > MAX_REFERENCES) {
    refuse("image", `there are ${references.length} reference images`, `at most ${MAX_REFERENCES}`);
  }
  if (references.length > 0) checkTakesReferences(family.takesReferences);
  references.forEach(checkReference);
  checkSecondPass({ guidanceScale, negativePrompt: request.negativePrompt }, !family.distilled);
  return { ...request, width, height, steps, guidanceScale, references };
}

/**
 * Refuses references where the model looks at no other images.
 *
 * @throws {SvcError} `unsupported_parameter`.
 */
export function checkTakesReferences(takesReferences: boolean): void {
  if (takesReferences) return;
  throw unsupportedParameter(
    "Cannot make an image from references: this model looks at no other images; give one image with a strength, " +
      "which it begins with",
    "image",
  );
}

/**
 * Refuses a reference that is too small or too long.
 *
 * @throws {SvcError} `invalid_image`.
 */
export function checkReference(image: PixelSize, index: number): void {
  const [short, long] = [Math.min(image.width, image.height), Math.max(image.width, image.height)];
  const { cropped } = referenceSize(image);
  if (short >= MIN_REFERENCE_SIDE && long <= MAX_ASPECT * short && cropped.width > 0 && cropped.height > 0) return;
  throw invalidField(
    "image",
    `Cannot make an image: reference image ${index + 1} is ${image.width}x${image.height}, ` +
      `expected at least ${MIN_REFERENCE_SIDE} pixels a side and at most ${MAX_ASPECT}:1`,
  );
}

/**
 * Refuses what needs a second pass where the model has none.
 *
 * @throws {SvcError} `unsupported_parameter`.
 */
export function checkSecondPass(
  { guidanceScale, negativePrompt }: { readonly guidanceScale: number; readonly negativePrompt?: string | undefined },
  secondPass: boolean,
): void {
  if (!secondPass && guidanceScale > 1) {
    throw unsupportedParameter(
      `Cannot make an image: guidance_scale is ${guidanceScale}, this model was distilled and has no second pass, ` +
        `expected at most 1`,
      "guidance_scale",
    );
  }
  if (!negativePrompt || (secondPass && guidanceScale > 1)) return;
  const reason = secondPass
    ? "it needs a second pass, which requires a guidance_scale above 1"
    : "this model was distilled and has no second pass, leave it out";
  throw unsupportedParameter(`Cannot make an image with a negative_prompt: ${reason}`, "negative_prompt");
}
