/**
 * The tokenizer and the chat template of a model in Hugging Face layout.
 *
 * @module
 */
import type { Tokenizer } from "@huggingface/tokenizers";
import { parseTokenizer } from "../../models/tokenizer/tokenizer_json.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { type JsonObject, readModelJson, readModelText } from "./model_json.ts";
import { ChatTemplate, readTokenizerConfig, type TemplateSources } from "../../protocol/mod.ts";
import type { ModelProfile } from "../contract/model_profile.ts";

/**
 * Reads `tokenizer.json` together with `tokenizer_config.json`.
 *
 * @throws {Error} when the model has no `tokenizer.json`.
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
    throw new Error("Cannot open the model: it has no tokenizer.json, add the file to its folder");
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
  // Encoder-decoders need no template.
  if (kind === "chat" && engine !== "transformers-js") new ChatTemplate(await readTemplate(files));
}
