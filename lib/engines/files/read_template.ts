/**
 * The chat template of a model.
 *
 * @module
 */
import { readTokenizerConfig, type TemplateSources } from "../../protocol/mod.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { readModelJson, readModelText } from "./model_json.ts";

/** Chat templates and special tokens of a model in Hugging Face layout. */
export async function readTemplate(files: ModelFiles): Promise<TemplateSources> {
  const config = await readModelJson(files, "tokenizer_config.json") ?? {};
  const name = "chat_template.jinja";
  const template = files.names.includes(name) ? await readModelText(files, name) : undefined;
  return readTokenizerConfig(config, template);
}
