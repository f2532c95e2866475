/**
 * Profiles of reranking models.
 *
 * @module
 */
import { chooseWeights, readOnnxFile } from "../onnx_sessions/onnx_file.ts";
import { describeDecoder } from "../onnx_text/decoder/decoder_graph.ts";
import { readCausalScore } from "./causal_score.ts";
import { contextLength } from "../onnx_encoder/context_length.ts";
import { readSignature } from "../onnx_encoder/graph_signature.ts";
import { MAX_SEQUENCE_TOKENS } from "../onnx_encoder/pack_sequences.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { checkSizes, type JsonObject, readModelJson } from "../files/model_json.ts";
import type { RerankModelProfile } from "../contract/model_profile.ts";
import { isObject } from "../../json/json_text.ts";

/**
 * Reads the profile of a reranking model, without loading it: a cross-encoder that classifies pairs of texts, or a causal
 * language model that is asked about them.
 *
 * @returns Undefined for models of other kinds.
 * @throws {Error} when it has more than two classes.
 */
export async function readRerankProfile(files: ModelFiles): Promise<RerankModelProfile | undefined> {
  const config = await readModelJson(files, "config.json");
  if (config === undefined) return undefined;
  if (await readCausalScore(files) !== undefined) {
    const name = chooseWeights(files.names);
    if (name === undefined) return undefined;
    checkSizes(config);
    describeDecoder(await readOnnxFile(files, name), name, config);
    return { kind: "rerank", engine: "onnx-rerank", context: await rerankContext(files, config) };
  }
  const architectures = [config.architectures].flat().map(String);
  if (!architectures.some((name) => name.endsWith("ForSequenceClassification"))) return undefined;
  const graph = await readSignature(files);
  if (graph === undefined) return undefined;
  checkSizes(config);
  if (!graph.outputs.has("logits")) {
    throw new Error(
      `Cannot rank with ${graph.file}: its outputs are ${[...graph.outputs].join(", ")}, expected logits`,
    );
  }
  const labels = labelCount(config);
  if (labels > 2) {
    throw new Error(`Cannot rank with the model: config.json names ${labels} classes, expected 1 or 2`);
  }
  return { kind: "rerank", engine: "onnx-rerank", context: await rerankContext(files, config) };
}

/** Maximum number of tokens of a pair. */
export async function rerankContext(files: ModelFiles, config: JsonObject): Promise<number> {
  return Math.min(contextLength(config, await readModelJson(files, "tokenizer_config.json")), MAX_SEQUENCE_TOKENS);
}

/** Configurations default to two classes, as in transformers. */
function labelCount({ num_labels: count, id2label: names }: JsonObject): number {
  if (typeof count === "number") return count;
  return isObject(names) ? Object.keys(names).length : 2;
}
