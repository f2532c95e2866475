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
import type { ModelRoot } from "../checkpoint/model_root.ts";
import { invalidModelFiles } from "../checkpoint/model_errors.ts";
import { type LoadOptions, readWeights } from "../checkpoint/read_weights.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { TINY } from "../video_vae/decoder_graphs.ts";
import { vaeShapes } from "../video_vae/vae_config.ts";
import type { ArworldConfig } from "./config.ts";
import { type DecoderChoice, openArworld, tinyShapes } from "./open_files.ts";
import { textEncoderShapes, transformerShapes } from "./tensor_shapes.ts";
import { isStreamed } from "./text/text_stream.ts";

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
