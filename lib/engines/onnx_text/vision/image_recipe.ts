/**
 * How images are preprocessed for a vision encoder.
 *
 * @module
 */
import type { ResizeKernel } from "../../../media/images/resize_image.ts";
import type { JsonObject } from "../../files/model_json.ts";
import { isObject } from "../../../json/json_text.ts";

/** Width and height in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The preprocessing of an image. */
export interface ImageRecipe {
  /** The target size: fixed, or preserving the aspect ratio; undefined for no resizing. */
  readonly size:
    | PictureSize
    | { readonly shortest: number | undefined; readonly longest: number | undefined }
    | undefined;
  /** Size of the center crop. */
  readonly crop: PictureSize | undefined;
  /** Side of the square tiles, to which the whole image is added; undefined for a single piece. */
  readonly tile: number | undefined;
  readonly kernel: ResizeKernel;
  /** Color channels become `(byte * scale - mean) / std`. */
  readonly scale: number;
  readonly mean: readonly number[];
  readonly std: readonly number[];
}

/** Numbered as in `PIL.Image.Resampling`. */
const kernels: readonly ResizeKernel[] = ["nearest", "lanczos", "linear", "cubic"];

/**
 * Reads `preprocessor_config.json`.
 *
 * @param config The parsed file.
 * @param tiled Whether the model's family uses tiles.
 * @throws {Error} naming the invalid key.
 */
export function readImageRecipe(config: JsonObject, tiled: boolean): ImageRecipe {
  const { size, crop_size: crop, max_image_size: max, rescale_factor: scale } = config;
  const tile = isObject(max) ? pixels("max_image_size.longest_edge", max.longest_edge) : undefined;
  if (tiled && tile === undefined) throw unusable("max_image_size", max, "an object with longest_edge");
  return {
    size: config.do_resize === false ? undefined : readSize(size),
    crop: config.do_center_crop === true ? readFixed("crop_size", crop) : undefined,
    tile: tiled ? tile : undefined,
    kernel: kernels[Number(config.resample ?? 3)] ?? "linear",
    scale: config.do_rescale === false ? 1 : typeof scale === "number" ? scale : 1 / 255,
    mean: config.do_normalize === false ? [0, 0, 0] : channels("image_mean", config.image_mean ?? 0.5),
    std: config.do_normalize === false ? [1, 1, 1] : channels("image_std", config.image_std ?? 0.5),
  };
}

function readSize(size: unknown): ImageRecipe["size"] {
  if (!isObject(size)) return { width: pixels("size", size), height: pixels("size", size) };
  const { shortest_edge: shortest, longest_edge: longest } = size;
  if (shortest === undefined && longest === undefined) return readFixed("size", size);
  return {
    shortest: shortest === undefined ? undefined : pixels("size.shortest_edge", shortest),
    longest: longest === undefined ? undefined : pixels("size.longest_edge", longest),
  };
}

function readFixed(key: string, size: unknown): PictureSize {
  if (!isObject(size)) return { width: pixels(key, size), height: pixels(key, size) };
  return { width: pixels(`${key}.width`, size.width), height: pixels(`${key}.height`, size.height) };
}

/** No encoder has larger sides, which would take all memory. */
const MAX_PIXELS = 8192;

function pixels(key: string, value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= MAX_PIXELS) return value as number;
  throw unusable(key, value, `an integer from 1 to ${MAX_PIXELS}`);
}

function channels(key: string, value: unknown): readonly number[] {
  const list = Array.isArray(value) ? value : [value, value, value];
  if (list.length === 3 && list.every((x) => typeof x === "number" && Number.isFinite(x))) return list;
  throw unusable(key, value, "three numbers");
}

function unusable(key: string, value: unknown, expected: string): Error {
  return new Error(`Cannot use preprocessor_config.json: ${key} is ${JSON.stringify(value)}, expected ${expected}`);
}
