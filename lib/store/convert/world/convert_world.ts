/**
 * Turns published checkpoints into the two folders of an arworld.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import { type ArworldConfig, textEncoderShapes, transformerShapes } from "../../../models/arworld/config.ts";
import { parseArworldConfig } from "../../../models/arworld/parse_config.ts";
import type { TensorShapes } from "../../../models/checkpoint/weights.ts";
import { tinyDecoderShapes } from "../../../models/video_vae/tiny_decoder.ts";
import { vaeShapes } from "../../../models/video_vae/vae_config.ts";
import type { OnTransfer } from "../../download_file.ts";
import {
  causalConfig,
  type GivenConfig,
  readBeside,
  readJsonObject,
  type ShapeOf,
  textConfig,
  vaeConfig,
} from "./infer_configs.ts";
import { type ConvertedPart, convertPart, type PartToConvert } from "./convert_part.ts";

/** The parts of an arworld; a tiny decoder is optional. */
export type ArworldPart = "text encoder" | "vae" | "causal" | "tiny decoder";

/** What to convert. */
export interface ConvertWorldOptions {
  readonly parts: readonly (PartToConvert & { readonly part: ArworldPart })[];
  /** The folder for `base/` and `causal/`. */
  readonly output: string;
  /** `tokenizer.json`, where it is not next to the text encoder. */
  readonly tokenizer?: string | undefined;
}

const FILES: Readonly<Record<ArworldPart, string>> = {
  "text encoder": "base/t5_encoder.safetensors",
  vae: "base/vae.safetensors",
  causal: "causal/model.safetensors",
  "tiny decoder": "base/tiny_decoder.safetensors",
};

const TOKENIZER = "base/tokenizer.json";

/** What is written besides weights. */
const WRITTEN = ["base/config.json", "causal/config.json", TOKENIZER];

/**
 * Converts any of the parts; folders fill up with each run.
 *
 * @throws {SvcError} `checkpoint_refused`, `unsuitable_files`, `disk_full`.
 */
export async function convertWorld(
  { parts, output, tokenizer }: ConvertWorldOptions,
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<readonly ConvertedPart[]> {
  const converted: ConvertedPart[] = [];
  for (const each of parts) {
    const { part, source } = each;
    const copied = part === "text encoder" ? await readTokenizer(tokenizer, source) : undefined;
    const describe = (shapeOf: ShapeOf, beside: GivenConfig) => {
      if (part === "tiny decoder") return { shapes: tinyShapesOf(shapeOf) };
      const config = configOf(part, shapeOf, beside);
      return { config, shapes: shapesOf(part, source, config) };
    };
    const form = { output, file: FILES[part], files: WRITTEN, copied, describe };
    converted.push(await convertPart(each, form, onTransfer, signal));
  }
  return converted;
}

/** Widths and channels from the shapes; what is missing is reported later. */
function tinyShapesOf(shapeOf: ShapeOf): TensorShapes {
  const width = (place: number) => shapeOf(`decoder.${place}.weight`)?.[0] ?? 0;
  const channels = shapeOf("decoder.1.weight")?.[1] ?? 0;
  return tinyDecoderShapes(channels, [width(1), width(8), width(14), width(20)]);
}

function configOf(part: ArworldPart, shapeOf: ShapeOf, beside: GivenConfig): GivenConfig {
  if (part === "text encoder") return textConfig(shapeOf);
  return part === "vae" ? vaeConfig(shapeOf, beside) : causalConfig(shapeOf, beside);
}

/** The shapes that the whole part must have; the other parts are filled in with ones that fit. */
function shapesOf(part: ArworldPart, source: string, config: GivenConfig): TensorShapes {
  const one = {
    z_dim: 4,
    dim: 4,
    dec_dim: 4,
    dim_mult: [1, 1, 1, 1],
    num_res_blocks: 1,
    temperal_downsample: [false, true, true],
  };
  const text = { vocab: 8, dim: 8, dim_attn: 8, dim_ffn: 8, num_heads: 1, num_layers: 1, num_buckets: 8 };
  const own = { ...{ dim: 16, ffn_dim: 8, num_heads: 2, num_layers: 1, freq_dim: 8, text_len: 8, attn_compress: 2 } };
  const { z_dim = 4 } = (config.vae ?? (part === "causal" ? { z_dim: config.in_dim } : {})) as { z_dim?: number };
  const channels = Array.from({ length: Number.isInteger(z_dim) && z_dim < 4096 ? z_dim : 4 }, () => 1);
  const textDim = part === "causal" ? config.text_dim : (config.t5 as { dim?: number } | undefined)?.dim ?? text.dim;
  const base = {
    vae: part === "vae" ? config.vae : { ...one, z_dim },
    t5: part === "text encoder" ? config.t5 : { ...text, dim: textDim },
    latents_mean: config.latents_mean ?? channels,
    latents_std: config.latents_std ?? channels,
  };
  const causal = part === "causal" ? config : { ...own, in_dim: z_dim, text_dim: textDim };
  let parsed: ArworldConfig;
  try {
    parsed = parseArworldConfig(base, causal);
  } catch (error) {
    const problems = error instanceof SvcError ? error.problems.join("; ") : String(error);
    throw new SvcError(
      "checkpoint_refused",
      `Cannot convert ${source} as ${part}: its shapes do not make one (${problems}); ` +
        "put the model's config.json beside it if it has one",
    );
  }
  if (part === "text encoder") return textEncoderShapes(parsed.textEncoder);
  return part === "vae" ? vaeShapes(parsed.vae) : transformerShapes(parsed.transformer);
}

async function readTokenizer(given: string | undefined, source: string): Promise<Map<string, Uint8Array>> {
  const found = given === undefined
    ? await readBeside(source, "tokenizer.json", "google/umt5-xxl/tokenizer.json", "../tokenizer/tokenizer.json")
    : await readJsonObject(given);
  if (Object.keys(found).length > 0) {
    return new Map([[TOKENIZER, new TextEncoder().encode(JSON.stringify(found))]]);
  }
  if (given === undefined) return new Map();
  throw new SvcError("unsuitable_files", `Cannot convert: ${given} is not a tokenizer.json, expected a JSON object`);
}
