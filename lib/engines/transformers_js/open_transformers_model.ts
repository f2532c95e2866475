/**
 * Opens models with transformers.js.
 *
 * @module
 */
import { readTokenTable } from "../constrained_decoding/token_table.ts";
import { readTokenizer } from "../files/tokenizer_files.ts";
import type { EngineOptions, ModelFiles } from "../contract/engine_entry.ts";
import { readModelJson, readModelValue, textConfig } from "../files/model_json.ts";
import { chooseGraph } from "../onnx_sessions/onnx_file.ts";
import { readEndTokens } from "../onnx_text/read_onnx_text_profile.ts";
import { deviceFor } from "../onnx_sessions/engine_devices.ts";
import type { LanguageModel } from "../contract/language_model.ts";
import {
  readTransformersProfile,
  readTransformersTemplate,
  type TransformersFamily,
  transformersFamily,
} from "./read_transformers_profile.ts";
import {
  type LibraryModel,
  loadTransformers,
  mendTextPositions,
  type TransformersLibrary,
} from "./transformers_library.ts";
import { TransformersModel } from "./transformers_model.ts";

/** Names that the library has for the quantizations of files. */
const precisions: Readonly<Record<string, string>> = {
  "": "fp32",
  "_fp16": "fp16",
  "_quantized": "q8",
  "_int8": "int8",
  "_uint8": "uint8",
  "_q4": "q4",
  "_q4f16": "q4f16",
  "_bnb4": "bnb4",
};

/**
 * Opens a model whose files are in the folder `onnx`.
 *
 * @throws {Error} naming what is missing or cannot be used.
 */
export async function openTransformersModel(files: ModelFiles, options: EngineOptions): Promise<LanguageModel> {
  const profile = await readTransformersProfile(files);
  const config = await readModelJson(files, "config.json") ?? {};
  const family = transformersFamily(config, files.names);
  if (profile === undefined || family === undefined) {
    throw new Error("Cannot open the model: its files are of no family that transformers.js runs here");
  }
  const library = await loadTransformers();
  options.onProgress(0.1);
  const tokenizer = await readTokenizer(files);
  const tokens = readTokenTable(await readModelValue(files, "tokenizer.json"));
  const template = await readTransformersTemplate(files, family);
  const endTokens = await readEndTokens(files, template, (token) => tokenizer.token_to_id(token));
  const [parent, id] = splitFolder(files.path("config.json"));
  library.env.localModelPath = parent;
  const model = await openGraphs(library, family, id, files.names, options);
  mendTextPositions(library, model);
  options.onProgress(0.9);
  const processor = family.kind === "images" ? await library.AutoProcessor.from_pretrained(id, {}) : undefined;
  const size = Number(textConfig(config).vocab_size ?? config.decoder_vocab_size);
  const constrainer = options.openConstrainer({
    size,
    endTokens: [...endTokens],
    bytesOf: (id) => tokens.bytesOf(id),
    isSpecial: (id) => tokens.isSpecial(id),
  });
  options.onProgress(1);
  return new TransformersModel({
    library,
    profile,
    family,
    template,
    device: libraryDevice(options),
    tokenizer,
    tokens,
    endTokens,
    model,
    processor,
    imageToken: Number(config.image_token_id),
    constrainer,
    prefixCache: options.prefixCache,
  });
}

async function openGraphs(
  library: TransformersLibrary,
  { kind, graphs }: TransformersFamily,
  id: string,
  names: readonly string[],
  { device, threads }: EngineOptions,
): Promise<LibraryModel> {
  const dtype = Object.fromEntries(graphs.map((graph) => {
    const file = chooseGraph(names, graph) as string;
    return [graph, precisions[file.slice(`onnx/${graph}`.length, -".onnx".length)]];
  }));
  const open = kind === "images" ? library.AutoModelForImageTextToText : library.AutoModelForSeq2SeqLM;
  return await open.from_pretrained(id, {
    // Which device works is known for our own graphs only; another one is used when it is named.
    device: libraryDevice({ device }),
    dtype,
    session_options: {
      logSeverityLevel: 4,
      ...threads === undefined ? {} : { intraOpNumThreads: threads },
    },
  });
}

function libraryDevice({ device }: Pick<EngineOptions, "device">): string {
  const found = deviceFor("onnx", device);
  return found === "auto" ? "cpu" : found;
}

/** Parent with a separator at its end, and last name of the folder of a file. */
function splitFolder(path: string): [parent: string, name: string] {
  const [, parent, name] = /^(.*[\\/])([^\\/]+)[\\/][^\\/]+$/.exec(path) ?? [];
  if (name === undefined) throw new Error(`Cannot open the model: its folder is the root of the file system`);
  return [parent, name];
}
