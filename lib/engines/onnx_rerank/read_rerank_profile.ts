/**
 * Profiles of reranking models, and how causal ones, such as Qwen3-Reranker, judge a pair.
 *
 * @module
 */
import { chooseWeights, readOnnxFile } from "../onnx_sessions/onnx_file.ts";
import { describeDecoder } from "../onnx_text/decoder/decoder_graph.ts";
import { contextLength, readSignature } from "../onnx_encoder/encoder_files.ts";
import { MAX_SEQUENCE_TOKENS } from "../onnx_encoder/token_sequence.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { checkSizes, type JsonObject, readModelJson, readModelValue, tokenIn } from "../files/model_json.ts";
import type { RerankModelProfile } from "../contract/model_profile.ts";
import { isObject } from "../../json/json_text.ts";
import { parseTemplate, renderTemplate } from "../../protocol/templates/bounded_interpreter.ts";
import { readPrompts } from "../onnx_embedding/embedding_recipe.ts";
import { readTemplate } from "../files/tokenizer_files.ts";

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

/** How such a model judges a pair: by the logits of one or two tokens after a chat that asks for the judgement. */
export interface CausalScore {
  /** The token that says that a text fits, such as `yes`. */
  readonly fits: number;
  /** The one that says that it does not; undefined where the first logit alone is the score. */
  readonly fitsNot: number | undefined;
  /** The chat of a pair. */
  render(query: string, text: string): string;
}

/**
 * Reads the module `LogitScore` of sentence-transformers' cross-encoders with its tokens, the template with the roles
 * `query` and `document`, and the instruction among the prompts.
 *
 * @returns Undefined for other models.
 * @throws {Error} naming the file that cannot be used.
 */
export async function readCausalScore(files: ModelFiles): Promise<CausalScore | undefined> {
  const modules = await readModelValue(files, "modules.json");
  const list = Array.isArray(modules) ? modules.filter(isObject) : [];
  const path = list.find(({ type }) => String(type).endsWith(".LogitScore"))?.path;
  if (typeof path !== "string") return undefined;
  const name = `${path}/config.json`;
  const config = await readModelJson(files, name) ?? {};
  const fits = tokenIn(name, config, "true_token_id");
  const fitsNot = tokenIn(name, config, "false_token_id");
  if (fits === undefined) throw new Error(`Cannot use ${name}: it has no true_token_id, expected the id of a token`);
  const { chat, tokens } = await readTemplate(files);
  if (chat === undefined) throw new Error("Cannot rank with the model: it has no chat template, expected one of pairs");
  const program = parseTemplate(chat);
  const sentences = await readModelJson(files, "sentence_bert_config.json");
  const processing = isObject(sentences?.processing_kwargs) ? sentences.processing_kwargs.chat_template : undefined;
  const settings = await readModelJson(files, "config_sentence_transformers.json");
  const instruction = (await readPrompts(files)).get(String(settings?.default_prompt_name));
  const first = instruction ? [{ role: "system", content: instruction }] : [];
  const render = (query: string, text: string): string =>
    renderTemplate(program, {
      add_generation_prompt: true,
      ...isObject(processing) ? processing : {},
      ...tokens,
      messages: [...first, { role: "query", content: query }, { role: "document", content: text }],
    }, new Date());
  const probe = render("svc-query", "svc-document");
  if (!probe.includes("svc-query") || !probe.includes("svc-document")) {
    throw new Error("Cannot rank with the model: its chat template does not write the roles query and document");
  }
  return { fits, fitsNot, render };
}
