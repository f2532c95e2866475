/**
 * The tokenizer of a model.
 *
 * @module
 */
import type { Tokenizer } from "@huggingface/tokenizers";
import { parseTokenizer } from "../../models/tokenizer/tokenizer_json.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { type JsonObject, readModelJson } from "./model_json.ts";

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
