/**
 * Opens image models in the layout of diffusers, one folder with
 *
 * - `model_index.json`, `scheduler/scheduler_config.json`;
 * - `tokenizer/tokenizer.json`, with `tokenizer_config.json` and `chat_template.jinja` where there are any;
 * - `text_encoder/config.json`, `text_encoder/model.safetensors`;
 * - `transformer/config.json`, `transformer/diffusion_pytorch_model.safetensors`;
 * - `vae/config.json`, `vae/diffusion_pytorch_model.safetensors`.
 *
 * Each `*.safetensors` may be several files with a `*.safetensors.index.json` instead, and linear layers may be
 * quantised. Opening reads headers only; weights are read when a component is needed.
 *
 * @module
 */
import type { TensorFile } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { invalidModelFiles } from "../checkpoint/model_errors.ts";
import { checkTensors, type ModelRoot, openTensors, readJson, readText, subfolder } from "../checkpoint/model_root.ts";
import { type LoadOptions, readWeights } from "../checkpoint/read_weights.ts";
import { partsOfWeight } from "../checkpoint/stored_weight.ts";
import type { TensorShapes, Weights } from "../checkpoint/weights.ts";
import { qwen3Shapes } from "../qwen3/config.ts";
import type { TokenizerFiles } from "../qwen3/prompt_tokenizer.ts";
import type { ImageFamily } from "./image_family.ts";

/** The networks of a pipeline. */
export type ComponentName = "text_encoder" | "transformer" | "vae";

/** Weights of a network that can be read as often as they are needed. */
export interface ImageComponent {
  readonly file: TensorFile;
  readonly shapes: TensorShapes;
  /** Bytes of the weights in the file. */
  readonly storedBytes: number;
  /**
   * Reads the weights into ordinary memory, each in its stored type.
   *
   * @throws {SvcError} naming every tensor that cannot be read.
   */
  read(options?: LoadOptions): Promise<Weights>;
}

/** An opened pipeline. */
export interface ImageFiles {
  /** What people call it. */
  readonly name: string;
  readonly family: ImageFamily;
  readonly tokenizer: TokenizerFiles;
  readonly components: Readonly<Record<ComponentName, ImageComponent>>;
}

/** The parsed configurations by their places in a pipeline's folder. */
export interface PipelineConfigs {
  /** `model_index.json` */
  readonly index: unknown;
  /** `text_encoder/config.json` */
  readonly textEncoder: unknown;
  /** `transformer/config.json` */
  readonly transformer: unknown;
  /** `vae/config.json` */
  readonly vae: unknown;
  /** `scheduler/scheduler_config.json` */
  readonly scheduler: unknown;
}

/** What the configurations of a family say. */
interface DescribedFamily {
  readonly family: ImageFamily;
  /** Names and shapes of the weights. */
  readonly transformer: TensorShapes;
  readonly vae: TensorShapes;
}

const DIFFUSERS_WEIGHTS = "diffusion_pytorch_model.safetensors";

/**
 * Checks configurations, names and shapes of all weights.
 *
 * @param describe Reads the configurations; throws {@linkcode SvcError} with every wrong field in `problems`.
 * @throws {SvcError} naming every missing file and field, and every missing or misshaped tensor.
 */
export async function openComponents<Family extends DescribedFamily>(
  root: ModelRoot,
  describe: (configs: PipelineConfigs) => Family,
): Promise<{ readonly files: ImageFiles; readonly described: Family }> {
  const problems: string[] = [];
  const folders = {
    text_encoder: subfolder(root, "text_encoder"),
    transformer: subfolder(root, "transformer"),
    vae: subfolder(root, "vae"),
  };
  const configs = {
    index: await readJson(root, "model_index.json", problems),
    textEncoder: await readJson(folders.text_encoder, "config.json", problems),
    transformer: await readJson(folders.transformer, "config.json", problems),
    vae: await readJson(folders.vae, "config.json", problems),
    scheduler: await readJson(subfolder(root, "scheduler"), "scheduler_config.json", problems),
  };
  const tokenizerRoot = subfolder(root, "tokenizer");
  const tokenizer = await readJson(tokenizerRoot, "tokenizer.json", problems);
  const hasSettings = await tokenizerRoot.open("tokenizer_config.json");
  const settings = hasSettings && await readJson(tokenizerRoot, "tokenizer_config.json", problems);
  const files = {
    text_encoder: await openTensors(folders.text_encoder, "model.safetensors", problems),
    transformer: await openTensors(folders.transformer, DIFFUSERS_WEIGHTS, problems),
    vae: await openTensors(folders.vae, DIFFUSERS_WEIGHTS, problems),
  };
  const described = Object.values(configs).every((file) => file !== undefined)
    ? parse(configs as Record<keyof typeof configs, ParsedFile>, describe, problems)
    : undefined;
  if (!described) throw invalidModelFiles(problems, "image model");
  const { family } = described;
  const shapes = {
    text_encoder: qwen3Shapes(family.textEncoder, Math.max(...family.textStates)),
    transformer: described.transformer,
    vae: described.vae,
  };
  const component = (name: ComponentName) => {
    checkTensors(files[name], shapes[name], problems);
    return files[name] && openComponent(files[name], shapes[name]);
  };
  const [textEncoder, transformer, vae] = [component("text_encoder"), component("transformer"), component("vae")];
  if (problems.length > 0 || !textEncoder || !transformer || !vae) throw invalidModelFiles(problems, "image model");
  const opened: ImageFiles = {
    name: root.name,
    family,
    tokenizer: {
      tokenizer: tokenizer?.value,
      config: settings?.value,
      template: await readText(tokenizerRoot, "chat_template.jinja"),
    },
    components: { text_encoder: textEncoder, transformer, vae },
  };
  return { files: opened, described };
}

interface ParsedFile {
  readonly value: unknown;
}

function parse<Family>(
  { index, textEncoder, transformer, vae, scheduler }: Readonly<Record<keyof PipelineConfigs, ParsedFile>>,
  describe: (configs: PipelineConfigs) => Family,
  problems: string[],
): Family | undefined {
  try {
    return describe({
      index: index.value,
      textEncoder: textEncoder.value,
      transformer: transformer.value,
      vae: vae.value,
      scheduler: scheduler.value,
    });
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

function openComponent(file: TensorFile, shapes: TensorShapes): ImageComponent {
  const parts = [...shapes.keys()].flatMap((name) => partsOfWeight(file, name));
  return {
    file,
    shapes,
    storedBytes: parts.reduce((sum, name) => sum + file.tensors.get(name)!.byteLength, 0),
    async read(options = {}) {
      const problems: string[] = [];
      const [weights] = await readWeights([{ file, shapes }], problems, options);
      if (problems.length > 0) throw invalidModelFiles(problems, "image model");
      return weights;
    },
  };
}
