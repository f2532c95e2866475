/**
 * Opens the files of an actionworld: configurations and headers, no weights yet.
 *
 * @module
 */
import type { TensorFile } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { describeWeights } from "../checkpoint/described_weights.ts";
import { invalidModelFiles } from "../checkpoint/model_errors.ts";
import { checkTensors, type ModelRoot, openTensors, readJson, readText, subfolder } from "../checkpoint/model_root.ts";
import { storedBytes } from "../checkpoint/stored_weight.ts";
import type { TensorShapes } from "../checkpoint/tensor_shapes.ts";
import { diffusersVaeName, vaeShapes } from "../video_vae/vae_config.ts";
import type { ActionworldConfig } from "./config.ts";
import { parseActionworldConfig } from "./parse_config.ts";
import { actionTransformerShapes, usedTransformerShapes, visionShapes } from "./tensor_shapes.ts";
import type { ActionworldWeights } from "./world_plan.ts";

/** The files of an actionworld, all of which are right as far as their headers say. */
export interface OpenedActionworld {
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
