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
import type { Tensor } from "../../tensor/mod.ts";
import type { ArworldConfig } from "./config.ts";
import { checkTensors, type ModelRoot, openTensors, readJson, sentenceOf } from "../checkpoint/model_root.ts";
import { ArworldConfigError, parseArworldConfig } from "./parse_config.ts";
import { vaeShapes } from "../video_vae/vae_shapes.ts";
import { textEncoderShapes, transformerShapes } from "./tensor_shapes.ts";
import { Weights } from "../checkpoint/weights.ts";

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

/** A model root lacks files or tensors, or holds wrong ones; lists all of them. */
export class ArworldFilesError extends Error {
  override name = "ArworldFilesError";
  /** For clients of a server. */
  readonly code = "model_invalid";
  /** One sentence a file or tensor. */
  readonly problems: readonly string[];

  /** From everything that is wrong. */
  constructor(problems: readonly string[]) {
    super(
      `Cannot load the world model: ${problems.join("; ")}; ` +
        `put complete files there or name the folders of another model`,
    );
    this.problems = problems;
  }
}

/** Options of {@linkcode loadArworld}. */
export interface LoadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Share of the tensors that are read, 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/**
 * Reads configuration, tokenizer and all weights, each in its stored type.
 *
 * @throws {ArworldFilesError} naming every missing file, and every missing, misshaped or unreadable tensor.
 *
 * @example
 * ```ts
 * import { ArworldFilesError, loadArworld } from "@svc/sdk/arworld";
 * const nowhere = { name: "nowhere", open: () => Promise.resolve(undefined) };
 * const error: unknown = await loadArworld(nowhere, nowhere).catch((e) => e);
 * console.assert(error instanceof ArworldFilesError && error.problems.includes("nowhere/vae.safetensors is missing"));
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
  if (problems.length > 0 || !config || !vae || !textEncoder || !transformer) throw new ArworldFilesError(problems);

  const wanted = [
    [vae, vaeShapes(config.vae)],
    [textEncoder, textEncoderShapes(config.textEncoder)],
    [transformer, transformerShapes(config.transformer)],
  ] as const;
  const total = wanted.reduce((n, [, shapes]) => n + shapes.size, 0);
  let done = 0;
  const weights: Weights[] = [];
  for (const [file, shapes] of wanted) {
    const tensors = new Map<string, Tensor>();
    for (const name of shapes.keys()) {
      options.signal?.throwIfAborted();
      try {
        tensors.set(name, await file.read(name));
      } catch (error) {
        problems.push(sentenceOf(error));
      }
      options.onProgress?.(++done / total);
    }
    weights.push(new Weights(tensors));
  }
  if (problems.length > 0) throw new ArworldFilesError(problems);
  return { config, vae: weights[0], textEncoder: weights[1], transformer: weights[2], tokenizer: tokenizer?.value };
}

function readConfig(base: unknown, causal: unknown, problems: string[]): ArworldConfig | undefined {
  try {
    return parseArworldConfig(base, causal);
  } catch (error) {
    if (!(error instanceof ArworldConfigError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}
