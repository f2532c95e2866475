/**
 * Loads an actionworld from its snapshot, one folder with
 *
 * - `config.json`: the vision encoder's configuration, and the world's own defaults where it has any;
 * - `transformer/config.json`, `transformer/diffusion_pytorch_model.safetensors`;
 * - `vae/config.json`, `vae/diffusion_pytorch_model.safetensors`;
 * - `scheduler/scheduler_config.json`;
 * - `tokenizer.json`, or `text_tokenizer/tokenizer.json`, with a `chat_template.jinja` beside it where the model has one;
 * - `vision_encoder/model.safetensors`: vision encoder and projector.
 *
 * Each `*.safetensors` may be several files with a `*.safetensors.index.json` instead. A snapshot must be whole, but of
 * what a world transition never runs (vision encoder, projector, language head, action output) only names and shapes
 * are looked at.
 *
 * @module
 */
import { invalidModelFiles } from "../checkpoint/model_errors.ts";
import type { ModelRoot } from "../checkpoint/model_root.ts";
import { type LoadOptions, readWeights } from "../checkpoint/read_weights.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { diffusersVaeName, vaeShapes } from "../video_vae/vae_config.ts";
import type { ActionworldConfig } from "./config.ts";
import { openActionworld } from "./open_files.ts";
import { usedTransformerShapes } from "./tensor_shapes.ts";

/** A loaded world model, in ordinary memory. */
export interface ActionworldFiles {
  /** All configurations. */
  readonly config: ActionworldConfig;
  /** Weights of the transformer that a transition reads. */
  readonly transformer: Weights;
  /** Weights of the video autoencoder. */
  readonly vae: Weights;
  /** The content of `tokenizer.json`. */
  readonly tokenizer: unknown;
  /** The content of `chat_template.jinja`. */
  readonly chatTemplate: string | undefined;
}

/**
 * Checks the whole snapshot and reads what a world transition needs, each weight in its stored type.
 *
 * @throws {SvcError} `model_invalid`, whose `problems` name every missing file, and every missing, misshaped or unreadable tensor.
 *
 * @example
 * ```ts
 * import { loadActionworld } from "./loader.ts";
 * import { SvcError } from "../../errors/svc_error.ts";
 * const nowhere = { name: "nowhere", open: () => Promise.resolve(undefined) };
 * const error: unknown = await loadActionworld(nowhere).catch((e) => e);
 * console.assert(error instanceof SvcError && error.problems.includes("nowhere/vae/config.json is missing"));
 * ```
 */
export async function loadActionworld(root: ModelRoot, options: LoadOptions = {}): Promise<ActionworldFiles> {
  const { config, tokenizer, chatTemplate, files } = await openActionworld(root);
  const problems: string[] = [];
  const [transformer, vae] = await readWeights(
    [
      {
        file: files.transformer,
        shapes: usedTransformerShapes(config.transformer),
        isMetered: (name) => !name.startsWith("embed_tokens."), // of which some rows are read
      },
      { file: files.vae, shapes: vaeShapes(config.vae), nameInFile: diffusersVaeName },
    ],
    problems,
    options,
  );
  if (problems.length > 0) throw invalidModelFiles(problems);
  return { config, transformer, vae, tokenizer, chatTemplate };
}
