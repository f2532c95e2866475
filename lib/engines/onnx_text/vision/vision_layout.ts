/**
 * Vision models, as their files describe them: the inputs of the encoder, where images are in prompts, and how they are
 * preprocessed.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { type JsonObject, readModelJson } from "../../files/model_json.ts";
import { chooseGraph, readOnnxFile } from "../../onnx_sessions/onnx_file.ts";
import type { FloatType } from "../decoder/decoder_graph.ts";
import type { ResizeKernel } from "../../../media/images/resize_image.ts";
import { isObject } from "../../../json/json_text.ts";

/** The inputs of a vision encoder. */
export interface EncoderInput {
  readonly type: FloatType;
  /** 4 for `[images, 3, height, width]`, 5 for `[texts, images, 3, height, width]`. */
  readonly rank: 4 | 5;
  /** Whether it takes a pixel mask. */
  readonly mask: boolean;
}

/** How images are inserted into prompts. */
export interface VisionLayout {
  /** `plain`: only the vectors of an image; `framed`: with a mark on both sides; `tiled`: tiles with marks. */
  readonly family: "plain" | "framed" | "tiled";
  /** What the template writes for an image. */
  readonly markToken: number;
  /** Token that stands for a vector of an image. */
  readonly imageToken: number;
  /** Ends a `framed` image. */
  readonly endToken: number | undefined;
  readonly recipe: ImageRecipe;
  /** File name of the encoder. */
  readonly encoder: string;
  readonly input: EncoderInput;
}

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The preprocessing of an image. */
export interface ImageRecipe {
  /** The target size: fixed, or preserving the aspect ratio; undefined for no resizing. */
  readonly size:
    | ImageSize
    | { readonly shortest: number | undefined; readonly longest: number | undefined }
    | undefined;
  /** Size of the center crop. */
  readonly crop: ImageSize | undefined;
  /** Side of the square tiles, to which the whole image is added; undefined for a single piece. */
  readonly tile: number | undefined;
  readonly kernel: ResizeKernel;
  /** Color channels become `(byte * scale - mean) / std`. */
  readonly scale: number;
  readonly mean: readonly number[];
  readonly std: readonly number[];
}

/** Families by `model_type`: LLaVA (Liu et al. 2023) and FastVLM, Gemma 3, Idefics3 and SmolVLM. */
const families = new Map<unknown, VisionLayout["family"]>([
  ["llava", "plain"],
  ["llava_qwen2", "plain"],
  ["gemma3", "framed"],
  ["idefics3", "tiled"],
  ["smolvlm", "tiled"],
]);

/**
 * Reads the image input of a model.
 *
 * @returns Undefined for models without image input, or of an unknown family.
 * @throws {Error} naming the unusable file of a known family.
 */
export async function readVisionLayout(files: ModelFiles): Promise<VisionLayout | undefined> {
  const config = await readModelJson(files, "config.json");
  const family = families.get(config?.model_type);
  const encoder = chooseGraph(files.names, "vision_encoder");
  const preprocessor = await readModelJson(files, "preprocessor_config.json");
  if (config === undefined || family === undefined || encoder === undefined || preprocessor === undefined) {
    return undefined;
  }
  const input = await readEncoderInput(files, encoder);
  const imageToken = id(config, "image_token_id", "image_token_index");
  const endToken = family === "framed" ? id(config, "eoi_token_id", "eoi_token_index") : undefined;
  const markToken = family === "framed" ? id(config, "boi_token_id", "boi_token_index") : imageToken;
  if (input === undefined || imageToken === undefined || markToken === undefined) return undefined;
  return {
    family,
    markToken,
    imageToken,
    endToken,
    recipe: readImageRecipe(preprocessor, family === "tiled"),
    encoder,
    input,
  };
}

async function readEncoderInput(files: ModelFiles, name: string): Promise<EncoderInput | undefined> {
  const { inputs, weights } = await readOnnxFile(files, name);
  const fed = inputs.filter((input) => !weights.has(input.name));
  const pixels = fed.find((input) => input.name === "pixel_values");
  if (pixels === undefined || fed.some(({ name }) => !/^pixel_(values|attention_mask)$/.test(name))) return undefined;
  const rank = pixels.shape.length;
  if (rank !== 4 && rank !== 5) return undefined;
  return { type: pixels.elementType === 10 ? "float16" : "float32", rank, mask: fed.length > 1 };
}

function id(config: JsonObject, ...names: readonly string[]): number | undefined {
  const found = names.map((name) => config[name]).find((value) => value !== undefined);
  return Number.isSafeInteger(found) && (found as number) >= 0 ? found as number : undefined;
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

function readFixed(key: string, size: unknown): ImageSize {
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
