/**
 * The size of an image, as requests write it.
 *
 * @module
 */
import * as v from "valibot";

/** Width and height in pixels. */
export interface ImagePixels {
  readonly width: number;
  readonly height: number;
}

/** The size where none is asked for. */
export const DEFAULT_IMAGE_SIZE: ImagePixels = { width: 1024, height: 1024 };

/** Most pixels of a side. */
export const MAX_IMAGE_SIDE = 4096;

/** Most pixels of an image. */
export const MAX_IMAGE_AREA = 4_194_304;

/** Sides are multiples of this. */
export const IMAGE_SIDE_STEP = 16;

const format = 'expected WIDTHxHEIGHT, such as "1024x1024", or "auto"';
const side = `expected sides of at most ${MAX_IMAGE_SIDE} pixels`;
const area = `expected at most ${MAX_IMAGE_AREA} pixels`;
const step = `expected sides that are multiples of ${IMAGE_SIDE_STEP}, from ${IMAGE_SIDE_STEP} on`;

/** Checks in this order: the format, each side, the area, multiples of 16. */
export const imageSizeField: v.GenericSchema<unknown, ImagePixels> = v.pipe(
  v.nullish(v.string(format), "auto"),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const text = dataset.value.trim().toLowerCase();
    if (text === "auto") return DEFAULT_IMAGE_SIZE;
    // Nine digits are exact numbers; more are too large whatever they are.
    const [, width, height] = (/^0*(\d{1,9})x0*(\d{1,9})$/.exec(text) ?? []).map(Number);
    const wrong = (message: string): never => {
      addIssue({ message });
      return NEVER;
    };
    if (width === undefined) return wrong(format);
    if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) return wrong(side);
    if (width * height > MAX_IMAGE_AREA) return wrong(area);
    const fits = (n: number): boolean => n >= IMAGE_SIDE_STEP && n % IMAGE_SIDE_STEP === 0;
    return fits(width) && fits(height) ? { width, height } : wrong(step);
  }),
);
