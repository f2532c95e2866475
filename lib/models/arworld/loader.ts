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
import { checkTensors, type ModelRoot, openTensors, readJson } from "../checkpoint/model_root.ts";
import { type LoadOptions, readWeights } from "../checkpoint/read_weights.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { vaeShapes } from "../video_vae/vae_shapes.ts";
import type { ArworldConfig } from "./config.ts";
import { parseArworldConfig } from "./parse_config.ts";
import { textEncoderShapes, transformerShapes } from "./tensor_shapes.ts";
import { invalidModelFiles } from "../checkpoint/model_errors.ts";
import { SvcError } from "../../errors/svc_error.ts";

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
  options: LoadOptions = {},
): Promise<ArworldFiles> {
  const problems: string[] = [];
  const baseConfig = await readJson(base, "config.json", problems);
  const causalConfig = await readJson(causal, "config.json", problems);
  const tokenizer = await readJson(base, "tokenizer.json", problems);
  const files = {
    vae: await openTensors(base, "vae.safetensors", problems),
    textEncoder: await openTensors(base, "t5_encoder.safetensors", problems),
    transformer: await openTensors(causal, "model.safetensors", problems),
  };
  const config = baseConfig && causalConfig ? readConfig(baseConfig.value, causalConfig.value, problems) : undefined;
  if (config) {
    checkTensors(files.vae, vaeShapes(config.vae), problems);
    checkTensors(files.textEncoder, textEncoderShapes(config.textEncoder), problems);
    checkTensors(files.transformer, transformerShapes(config.transformer), problems);
  }
  const { vae, textEncoder, transformer } = files;
  if (problems.length > 0 || !config || !vae || !textEncoder || !transformer) throw invalidModelFiles(problems);

  const weights = await readWeights(
    [
      { file: vae, shapes: vaeShapes(config.vae) },
      { file: textEncoder, shapes: textEncoderShapes(config.textEncoder) },
      { file: transformer, shapes: transformerShapes(config.transformer) },
    ],
    problems,
    options,
  );
  if (problems.length > 0) throw invalidModelFiles(problems);
  return { config, vae: weights[0], textEncoder: weights[1], transformer: weights[2], tokenizer: tokenizer?.value };
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
