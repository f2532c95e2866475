/**
 * Loads an arworld from its two folders.
 *
 * - base root: `config.json`, `vae.safetensors`, `t5_encoder.safetensors`, `tokenizer.json`;
 * - causal root: `config.json`, `model.safetensors`.
 *
 * Each `*.safetensors` may be several files with a `*.safetensors.index.json` instead.
 *
 * @module
 */
import type { TensorFile } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { describeWeights, type TensorShapes, type Weights } from "../checkpoint/weights.ts";
import { invalidModelFiles } from "../checkpoint/model_errors.ts";
import { checkTensors, type ModelRoot, openTensors, readJson } from "../checkpoint/model_root.ts";
import { type LoadOptions, readWeights } from "../checkpoint/read_weights.ts";
import { storedBytes } from "../checkpoint/stored_weight.ts";
import { TINY } from "../video_vae/decoder_graphs.ts";
import { tinyDecoderShapes, tinyWidths } from "../video_vae/tiny_decoder.ts";
import { vaeShapes } from "../video_vae/vae_config.ts";
import { type ArworldConfig, textEncoderShapes, transformerShapes } from "./config.ts";
import { parseArworldConfig } from "./parse_config.ts";
import { isStreamed } from "./text/text_stream.ts";
import type { ArworldWeights } from "./world_plan.ts";

/** A loaded world model, in ordinary memory. */
export interface ArworldFiles {
  /** Both configurations. */
  readonly config: ArworldConfig;
  /** Weights of the video autoencoder. */
  readonly vae: Weights;
  /** Weights of the text encoder. */
  readonly textEncoder: Weights;
  /** Weights of the causal transformer. */
  readonly transformer: Weights;
  /** The content of `tokenizer.json`. */
  readonly tokenizer: unknown;
}

/**
 * Reads configuration, tokenizer and all weights, each in its stored type.
 *
 * @throws {SvcError} `model_invalid`, whose `problems` name every missing file, and every missing, misshaped or unreadable tensor.
 *
 * @example
 * ```ts
 * import { loadArworld } from "./loader.ts";
 * import { SvcError } from "../../errors/svc_error.ts";
 * const nowhere = { name: "nowhere", open: () => Promise.resolve(undefined) };
 * const error: unknown = await loadArworld(nowhere, nowhere).catch((e) => e);
 * console.assert(error instanceof SvcError && error.problems.includes("nowhere/vae.safetensors is missing"));
 * ```
 */
export async function loadArworld(
  base: ModelRoot,
  causal: ModelRoot,
  options: LoadOptions & { readonly decoder?: DecoderChoice | undefined } = {},
): Promise<ArworldFiles> {
  const { config, tokenizer, files, tinyDecoder } = await openArworld(base, causal, options.decoder);
  const problems: string[] = [];
  const [vae, textEncoder, transformer, tiny] = await readWeights(
    [
      { file: files.vae, shapes: vaeShapes(config.vae) },
      {
        file: files.textEncoder,
        shapes: textEncoderShapes(config.textEncoder),
        isMetered: () => !isStreamed(config.textEncoder), // which passes through whenever a text is new
      },
      { file: files.transformer, shapes: transformerShapes(config.transformer) },
      ...tinyDecoder ? [{ file: tinyDecoder, shapes: tinyShapes(config, tinyDecoder) }] : [],
    ],
    problems,
    options,
  );
  if (problems.length > 0) throw invalidModelFiles(problems);
  return { config, vae: tiny ? vae.with(TINY, tiny) : vae, textEncoder, transformer, tokenizer };
}

/** What turns latents into images: the autoencoder's own decoder, or `tiny_decoder.safetensors` beside it. */
export type DecoderChoice = "full" | "tiny";

/** The files of an arworld, all of which are right as far as their headers say. */
interface OpenedArworld {
  /** The tiny decoder, if requested. */
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
function tinyShapes({ vae }: ArworldConfig, file: TensorFile | undefined): TensorShapes {
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
