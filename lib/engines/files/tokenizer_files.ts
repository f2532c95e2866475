/**
 * The tokenizer and the chat template of a model in Hugging Face layout.
 *
 * @module
 */
import type { Tokenizer } from "@huggingface/tokenizers";
import { parseTokenizer } from "../../models/tokenizer/tokenizer_json.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { baseModel, type JsonObject, readModelJson, readModelText } from "./model_json.ts";
import { ChatTemplate, readTokenizerConfig, type TemplateSources } from "../../protocol/mod.ts";
import type { ModelProfile } from "../contract/model_profile.ts";

/**
 * Reads `tokenizer.json` together with `tokenizer_config.json`.
 *
 * @throws {Error} when the model has no `tokenizer.json`, and what it has instead.
 * @throws {TokenizerError} when it has an unsupported part.
 */
export async function readTokenizer(files: ModelFiles): Promise<Tokenizer> {
  return (await readTokenizerFile(files)).tokenizer;
}

/** As {@linkcode readTokenizer}, with the parsed `tokenizer.json`. */
export async function readTokenizerFile(
  files: ModelFiles,
): Promise<{ readonly tokenizer: Tokenizer; readonly json: JsonObject }> {
  const json = await readModelJson(files, "tokenizer.json");
  if (json === undefined) {
    const older = files.names.find((name) => /^(tokenizer\.model|spiece\.model|vocab\.(txt|json))$/.test(name));
    const remedy = older === undefined
      ? "add the file to its folder"
      : `${older} alone is not enough: add the file, or make it with AutoTokenizer.from_pretrained(DIR).save_pretrained(DIR)`;
    throw new Error(`Cannot open the model: it has no tokenizer.json, ${remedy}`);
  }
  const config = await readModelJson(files, "tokenizer_config.json") ?? {};
  return { tokenizer: parseTokenizer("tokenizer.json", json, config), json };
}

/** Chat templates and special tokens of a model in Hugging Face layout. */
export async function readTemplate(files: ModelFiles): Promise<TemplateSources> {
  const config = await readModelJson(files, "tokenizer_config.json") ?? {};
  const name = "chat_template.jinja";
  const template = files.names.includes(name) ? await readModelText(files, name) : undefined;
  return readTokenizerConfig(config, template);
}

/**
 * Reads the tokenizer of a model and, for a chat model, its template, to report errors early. GGUF models have both in
 * the file of their weights, and are not checked.
 *
 * @throws {Error} naming the unusable file.
 */
export async function checkTextFiles(files: ModelFiles, { kind, engine }: ModelProfile): Promise<void> {
  if (engine.startsWith("gguf-") || !["chat", "embedding", "rerank"].includes(kind)) return;
  await readTokenizer(files);
  if (kind !== "chat") return;
  const isLibrary = engine === "transformers-js";
  const processors = ["preprocessor_config.json", ...isLibrary ? ["processor_config.json"] : []];
  if (hasEyes(files) && !processors.some((name) => files.names.includes(name))) {
    throw new Error("Cannot open the model: it has no preprocessor_config.json, which images need, add the file");
  }
  // Encoder-decoders need no template.
  if (isLibrary && !hasEyes(files)) return;
  const template = await readTemplate(files);
  if (template.chat === undefined) throw new Error(baseModel("no chat_template.jinja", "add its chat_template.jinja"));
  new ChatTemplate(template);
}

function hasEyes({ names }: ModelFiles): boolean {
  return names.some((name) => /(^|\/)vision_encoder[^/]*\.onnx$/.test(name));
}
