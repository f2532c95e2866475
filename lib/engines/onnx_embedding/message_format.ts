/**
 * Texts as chat messages, for embedding models derived from chat models.
 *
 * @module
 */
import { parseTemplate, renderTemplate } from "../../protocol/templates/bounded_interpreter.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { readModelJson } from "../files/model_json.ts";
import { readTemplate } from "../files/tokenizer_files.ts";
import { isObject } from "../../json/json_text.ts";

/**
 * Reads whether a model expects its texts as chat messages, according to `modality_config` of
 * `sentence_bert_config.json`.
 *
 * @param prompt The system prompt; may be empty.
 * @returns A function that wraps a text into a chat; undefined for models that take plain texts.
 * @throws {Error} when the template is not Jinja.
 */
export async function readMessageFormat(
  files: ModelFiles,
  prompt: string,
): Promise<((text: string) => string) | undefined> {
  const sentences = await readModelJson(files, "sentence_bert_config.json");
  const wanted = member(sentences?.modality_config, "message");
  const { chat, tokens } = await readTemplate(files);
  if (!isObject(wanted) || chat === undefined) return undefined;
  const program = parseTemplate(chat);
  const given = member(sentences?.processing_kwargs, "chat_template");
  const message = (role: string, text: string) => ({
    role,
    content: wanted.format === "structured" ? [{ type: "text", text }] : text,
  });
  const first = prompt === "" ? [] : [message("system", prompt)];
  return (text) => {
    const variables = {
      add_generation_prompt: false,
      ...isObject(given) ? given : {},
      ...tokens,
      messages: [...first, message("user", text)],
    };
    return renderTemplate(program, variables, new Date());
  };
}

function member(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}
