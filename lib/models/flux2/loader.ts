/**
 * Opens a FLUX.2 pipeline in its published layout, one folder with
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
import type { TensorShapes } from "../checkpoint/tensor_shapes.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { TokenizerFiles } from "../qwen3/prompt_tokenizer.ts";
import { qwen3Shapes } from "../qwen3/tensor_shapes.ts";
import type { Flux2Config } from "./config.ts";
import { parseFlux2Config } from "./parse_config.ts";
import { flux2TransformerShapes, flux2VaeShapes } from "./tensor_shapes.ts";

/** The networks of a pipeline. */
export type Flux2ComponentName = "text_encoder" | "transformer" | "vae";

/** Weights of a network that can be read as often as they are needed. */
export interface Flux2Component {
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
export interface Flux2Files {
  /** What people call it. */
  readonly name: string;
  readonly config: Flux2Config;
  readonly tokenizer: TokenizerFiles;
  readonly components: Readonly<Record<Flux2ComponentName, Flux2Component>>;
}

const DIFFUSERS_WEIGHTS = "diffusion_pytorch_model.safetensors";

/**
 * Checks configurations, names and shapes of all weights.
 *
 * @throws {SvcError} naming every missing file and field, and every missing or misshaped tensor.
 */
export async function openFlux2(root: ModelRoot): Promise<Flux2Files> {
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
  const config = Object.values(configs).every((file) => file !== undefined)
    ? parse(configs as Record<keyof typeof configs, ParsedFile>, problems)
    : undefined;
  if (!config) throw invalidModelFiles(problems, "image model");
  const shapes = {
    text_encoder: qwen3Shapes(config.textEncoder, Math.max(...config.textStates)),
    transformer: flux2TransformerShapes(config.transformer),
    vae: flux2VaeShapes(config.vae),
  };
  const component = (name: Flux2ComponentName) => {
    checkTensors(files[name], shapes[name], problems);
    return files[name] && openComponent(files[name], shapes[name]);
  };
  const [textEncoder, transformer, vae] = [component("text_encoder"), component("transformer"), component("vae")];
  if (problems.length > 0 || !textEncoder || !transformer || !vae) throw invalidModelFiles(problems, "image model");
  return {
    name: root.name,
    config,
    tokenizer: {
      tokenizer: tokenizer?.value,
      config: settings?.value,
      template: await readText(tokenizerRoot, "chat_template.jinja"),
    },
    components: { text_encoder: textEncoder, transformer, vae },
  };
}

interface ParsedFile {
  readonly value: unknown;
}

function parse(
  configs: Readonly<Record<"index" | "textEncoder" | "transformer" | "vae" | "scheduler", ParsedFile>>,
  problems: string[],
): Flux2Config | undefined {
  const { index, textEncoder, transformer, vae, scheduler } = configs;
  try {
    return parseFlux2Config({
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

function openComponent(file: TensorFile, shapes: TensorShapes): Flux2Component {
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
