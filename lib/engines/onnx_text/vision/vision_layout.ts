/**
 * Vision models, as their files describe them.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { type JsonObject, readModelJson } from "../../files/model_json.ts";
import { chooseGraph, readOnnxFile } from "../../onnx_sessions/onnx_file.ts";
import type { FloatType } from "../decoder/decoder_graph.ts";
import { type ImageRecipe, readImageRecipe } from "./image_recipe.ts";

/** The inputs of a vision encoder. */
export interface EncoderInput {
  readonly type: FloatType;
  /** 4 for `[pictures, 3, height, width]`, 5 for `[texts, pictures, 3, height, width]`. */
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
  const pictures = await readModelJson(files, "preprocessor_config.json");
  if (config === undefined || family === undefined || encoder === undefined || pictures === undefined) return undefined;
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
    recipe: readImageRecipe(pictures, family === "tiled"),
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
