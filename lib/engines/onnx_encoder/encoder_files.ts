/**
 * What the files of an encoder say: its graph with inputs and outputs, and its context length.
 *
 * @module
 */
import type { ModelFiles } from "../contract/engine_entry.ts";
import { readOnnxFile } from "../onnx_sessions/onnx_file.ts";
import { type JsonObject, MAX_CONTEXT, sizeIn, tokenIn } from "../files/model_json.ts";

/** Names of inputs and outputs. */
interface GraphSignature {
  /** Name of the file. */
  readonly file: string;
  readonly inputs: ReadonlySet<string>;
  readonly outputs: ReadonlySet<string>;
}

/**
 * Reads the signature of a model's graph.
 *
 * @returns Undefined for models whose graph does not take tokens, or without a graph of a usual name.
 * @throws {Error} when the file is damaged, or its weights are outside the model's folder.
 */
export async function readSignature(files: ModelFiles): Promise<GraphSignature | undefined> {
  const file = graphFile(files);
  if (file === undefined) return undefined;
  const { inputs, outputs, weights } = await readOnnxFile(files, file);
  const fed = inputs.map(({ name }) => name).filter((name) => !weights.has(name));
  if (!fed.includes("input_ids")) return undefined;
  return { file, inputs: new Set(fed), outputs: new Set(outputs.map(({ name }) => name)) };
}

/** Suffixes of quantizations in file names, most exact first. */
const suffixes = ["", "_fp16", "_quantized", "_int8", "_uint8", "_q8", "_q4f16", "_q4", "_bnb4"];

/**
 * Name of the graph, in `onnx/` or beside the other files; the most exact one if there are several. Undefined for none.
 */
export function graphFile({ names }: ModelFiles): string | undefined {
  const known = suffixes.flatMap((suffix) => [`onnx/model${suffix}.onnx`, `model${suffix}.onnx`]);
  return known.find((name) => names.includes(name)) ??
    // Such as model_O3.onnx, model_qint8_avx512.onnx and model_no_gather_q4.onnx.
    [...names].sort().find((name) => /^(onnx\/)?model_[^/]+\.onnx$/.test(name));
}

/** Families whose positions start after the padding token's id (Liu et al. 2019, RoBERTa). */
const offsetFamilies = /^(xlm-)?roberta|^camembert$|^mpnet$|^longformer$|^data2vec-text$|^ibert$/;

/** Default for models that do not specify it. */
const USUAL = 512;

/**
 * Maximum number of tokens of a sequence: the minimum of what the files say.
 *
 * @param config The parsed `config.json`.
 * @param tokenizer The parsed `tokenizer_config.json`.
 * @param sentences The parsed `sentence_bert_config.json`, if there is one.
 * @throws {Error} naming the file that says a length which no model has.
 */
export function contextLength(config: JsonObject, tokenizer: JsonObject = {}, sentences: JsonObject = {}): number {
  const limits = [
    positions(config),
    sizeIn("config.json", config, "max_sequence_length", MAX_CONTEXT),
    endless(tokenizer.model_max_length)
      ? undefined
      : sizeIn("tokenizer_config.json", tokenizer, "model_max_length", MAX_CONTEXT),
    sizeIn("sentence_bert_config.json", sentences, "max_seq_length", MAX_CONTEXT),
  ].filter((limit) => limit !== undefined);
  return limits.length === 0 ? USUAL : Math.min(...limits);
}

function positions(config: JsonObject): number | undefined {
  const count = sizeIn("config.json", config, "max_position_embeddings", MAX_CONTEXT) ??
    sizeIn("config.json", config, "n_positions", MAX_CONTEXT);
  if (count === undefined || !offsetFamilies.test(String(config.model_type))) return count;
  const pad = tokenIn("config.json", config, "pad_token_id") ?? 1;
  if (count - pad - 1 > 0) return count - pad - 1;
  throw new Error(
    `Cannot use config.json: its "pad_token_id" is ${pad}, expected one before the last of ${count} positions`,
  );
}

/** Tokenizers without a limit say 1e30, or another number that no model reaches. */
function endless(length: unknown): boolean {
  return typeof length === "number" && length > MAX_CONTEXT;
}
