/**
 * Opens the files of an arworld: configurations and headers, no weights yet.
 *
 * @module
 */
import type { TensorFile } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { describeWeights } from "../checkpoint/described_weights.ts";
import { invalidModelFiles } from "../checkpoint/model_errors.ts";
import { checkTensors, type ModelRoot, openTensors, readJson } from "../checkpoint/model_root.ts";
import { storedBytes } from "../checkpoint/stored_weight.ts";
import type { TensorShapes } from "../checkpoint/tensor_shapes.ts";
import { TINY } from "../video_vae/decoder_graphs.ts";
import { tinyDecoderShapes, tinyWidths } from "../video_vae/tiny_decoder.ts";
import { vaeShapes } from "../video_vae/vae_config.ts";
import type { ArworldConfig } from "./config.ts";
import { parseArworldConfig } from "./parse_config.ts";
import { textEncoderShapes, transformerShapes } from "./tensor_shapes.ts";
import type { ArworldWeights } from "./world_plan.ts";

/** What turns latents into pictures: the autoencoder's own decoder, or `tiny_decoder.safetensors` beside it. */
export type DecoderChoice = "full" | "tiny";

/** The files of an arworld, all of which are right as far as their headers say. */
export interface OpenedArworld {
  /** The tiny decoder, where it is asked for. */
  readonly tinyDecoder: TensorFile | undefined;
  /** Both configurations. */
  readonly config: ArworldConfig;
  /** The content of `tokenizer.json`. */
  readonly tokenizer: unknown;
  /** Weights by the part they belong to. */
  readonly files: Readonly<Record<keyof ArworldWeights, TensorFile>>;
  /** Bytes of all weights together. */
  readonly fileBytes: number;
  /** The weights without their elements. */
  describe(): ArworldWeights;
}

/**
 * Reads configurations, the tokenizer and the headers of all weights.
 *
 * @throws {SvcError} `model_invalid`, whose `problems` name every missing file, and every missing or misshaped tensor.
 */
export async function openArworld(
  base: ModelRoot,
  causal: ModelRoot,
  decoder: DecoderChoice = "full",
): Promise<OpenedArworld> {
  const problems: string[] = [];
  const baseConfig = await readJson(base, "config.json", problems);
  const causalConfig = await readJson(causal, "config.json", problems);
  const tokenizer = await readJson(base, "tokenizer.json", problems);
  const vae = await openTensors(base, "vae.safetensors", problems);
  const textEncoder = await openTensors(base, "t5_encoder.safetensors", problems);
  const transformer = await openTensors(causal, "model.safetensors", problems);
  const tiny = decoder === "tiny" ? await openTensors(base, "tiny_decoder.safetensors", problems) : undefined;
  const config = baseConfig && causalConfig ? readConfig(baseConfig.value, causalConfig.value, problems) : undefined;
  if (config) {
    checkTensors(vae, vaeShapes(config.vae), problems);
    checkTensors(textEncoder, textEncoderShapes(config.textEncoder), problems);
    checkTensors(transformer, transformerShapes(config.transformer), problems);
    checkTensors(tiny, tinyShapes(config, tiny), problems);
  }
  if (problems.length > 0 || !config || !vae || !textEncoder || !transformer) throw invalidModelFiles(problems);
  return {
    config,
    tokenizer: tokenizer?.value,
    files: { vae, textEncoder, transformer },
    tinyDecoder: tiny,
    fileBytes: storedBytes([vae, textEncoder, transformer, ...tiny ? [tiny] : []]),
    describe: () => ({
      vae: tiny
        ? describeWeights(vae, vaeShapes(config.vae)).with(TINY, describeWeights(tiny, tinyShapes(config, tiny)))
        : describeWeights(vae, vaeShapes(config.vae)),
      textEncoder: describeWeights(textEncoder, textEncoderShapes(config.textEncoder)),
      transformer: describeWeights(transformer, transformerShapes(config.transformer)),
    }),
  };
}

/** Weights of the tiny decoder for the latents of a world. */
export function tinyShapes({ vae }: ArworldConfig, file: TensorFile | undefined): TensorShapes {
  return tinyDecoderShapes(vae.zDim, tinyWidths(file));
}

function readConfig(base: unknown, causal: unknown, problems: string[]): ArworldConfig | undefined {
  try {
    return parseArworldConfig(base, causal);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}
