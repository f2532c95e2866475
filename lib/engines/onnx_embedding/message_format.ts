/**
 * Texts as messages, for embedding models that were made from models that chat.
 *
 * @module
 */
import { parseTemplate, renderTemplate } from "../../api/protocol/templates/bounded_interpreter.ts";
import type { ModelFiles } from "../files/model_files.ts";
import { isJsonObject, readModelJson } from "../files/model_json.ts";
import { readTemplate } from "../onnx_text/read_onnx_text_profile.ts";

/**
 * Reads whether a model wants its texts as messages of a chat, as `modality_config` of `sentence_bert_config.json` says.
 *
 * @param prompt What the system says first; empty for nothing.
 * @returns What makes the text of a chat out of a text; undefined for models that take texts as they are.
 * @throws {Error} when the template is no Jinja.
 */
export async function readMessageFormat(
  files: ModelFiles,
  prompt: string,
): Promise<((text: string) => string) | undefined> {
  const sentences = await readModelJson(files, "sentence_bert_config.json");
  const wanted = member(sentences?.modality_config, "message");
  const { chat, tokens } = await readTemplate(files);
  if (!isJsonObject(wanted) || chat === undefined) return undefined;
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
      ...isJsonObject(given) ? given : {},
      ...tokens,
      messages: [...first, message("user", text)],
    };
    return renderTemplate(program, variables, new Date());
  };
}

function member(value: unknown, key: string): unknown {
  return isJsonObject(value) ? value[key] : undefined;
}
