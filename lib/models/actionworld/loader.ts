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
import type { TensorFile } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { invalidModelFiles } from "../checkpoint/model_errors.ts";
import { checkTensors, type ModelRoot, openTensors, readJson, readText, subfolder } from "../checkpoint/model_root.ts";
import { type LoadOptions, readWeights } from "../checkpoint/read_weights.ts";
import { storedBytes } from "../checkpoint/stored_weight.ts";
import { describeWeights, type TensorShapes, type Weights } from "../checkpoint/weights.ts";
import { diffusersVaeName, vaeShapes } from "../video_vae/vae_config.ts";
import { actionTransformerShapes, type ActionworldConfig, usedTransformerShapes, visionShapes } from "./config.ts";
import { parseActionworldConfig } from "./parse_config.ts";
import type { ActionworldWeights } from "./world_plan.ts";

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

/** The files of an actionworld, all of which are right as far as their headers say. */
interface OpenedActionworld {
  /** All configurations. */
  readonly config: ActionworldConfig;
  /** The content of `tokenizer.json`. */
  readonly tokenizer: unknown;
  /** The content of `chat_template.jinja`. */
  readonly chatTemplate: string | undefined;
  /** Weights by the part they belong to. */
  readonly files: Readonly<Record<keyof ActionworldWeights, TensorFile>>;
  /** Bytes of all weights together. */
  readonly fileBytes: number;
  /** The weights that a transition reads, without their elements. */
  describe(): ActionworldWeights;
}

const WEIGHTS = "diffusion_pytorch_model.safetensors";

/**
 * Reads configurations, the tokenizer and the headers of all weights.
 *
 * @throws {SvcError} `model_invalid`, whose `problems` name every missing file, and every missing or misshaped tensor.
 */
export async function openActionworld(root: ModelRoot): Promise<OpenedActionworld> {
  const problems: string[] = [];
  const [transformerRoot, vaeRoot] = [subfolder(root, "transformer"), subfolder(root, "vae")];
  const configs = {
    root: await readJson(root, "config.json", problems),
    transformer: await readJson(transformerRoot, "config.json", problems),
    vae: await readJson(vaeRoot, "config.json", problems),
  };
  await readJson(subfolder(root, "scheduler"), "scheduler_config.json", problems);
  const tokenizerRoot = await tokenizerFolder(root);
  const tokenizer = await readJson(tokenizerRoot, "tokenizer.json", problems);
  const chatTemplate = await readText(tokenizerRoot, "chat_template.jinja");
  const files = {
    transformer: await openTensors(transformerRoot, WEIGHTS, problems),
    vae: await openTensors(vaeRoot, WEIGHTS, problems),
    vision: await openTensors(subfolder(root, "vision_encoder"), "model.safetensors", problems),
  };
  const config = checkConfigs(configs, files, problems);
  const { transformer, vae, vision } = files;
  if (problems.length > 0 || !config || !transformer || !vae || !vision) throw invalidModelFiles(problems);
  return {
    ...{ config, tokenizer: tokenizer?.value, chatTemplate },
    files: { transformer, vae },
    fileBytes: storedBytes([transformer, vae, vision]),
    describe: () => ({
      transformer: describeWeights(transformer, usedTransformerShapes(config.transformer)),
      vae: describeWeights(vae, vaeShapes(config.vae), diffusersVaeName),
    }),
  };
}

interface ParsedFile {
  readonly value: unknown;
}

/** The combined configuration, once all three parts are valid; adds missing and inconsistent parts to `problems`. */
function checkConfigs(
  { root, transformer, vae }: Readonly<Record<"root" | "transformer" | "vae", ParsedFile | undefined>>,
  files: Readonly<Record<"transformer" | "vae" | "vision", TensorFile | undefined>>,
  problems: string[],
): ActionworldConfig | undefined {
  if (!root || !transformer || !vae) return undefined;
  try {
    const parsed = parseActionworldConfig({ root: root.value, transformer: transformer.value, vae: vae.value });
    checkTensors(files.transformer, actionTransformerShapes(parsed.config.transformer), problems);
    checkTensors(files.vae, diffusersShapes(vaeShapes(parsed.config.vae)), problems);
    checkTensors(files.vision, visionShapes(parsed.vision), problems);
    return parsed.config;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** Published snapshots have the generator's tokenizer in a separate folder. */
async function tokenizerFolder(root: ModelRoot): Promise<ModelRoot> {
  const own = subfolder(root, "text_tokenizer");
  return await own.open("tokenizer.json") ? own : root;
}

function diffusersShapes(shapes: TensorShapes): TensorShapes {
  return new Map(Array.from(shapes, ([name, shape]) => [diffusersVaeName(name), shape]));
}
