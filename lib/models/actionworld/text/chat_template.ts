/**
 * Renders a message as chat text.
 *
 * @module
 */
import { Template } from "@huggingface/jinja";
import { TokenizerError } from "../../tokenizer/tokenizer_json.ts";
import { chatText } from "./prompt_message.ts";

/** Renders a chat with one user message and the beginning of an answer. */
export type ChatRenderer = (message: string) => string;

/**
 * Renders chats with a snapshot's own template; without one as {@linkcode chatText} does.
 *
 * @param name Name of the template for error messages.
 * @param template A Jinja template as Hugging Face's libraries take it.
 * @throws {TokenizerError} when it cannot be parsed, or does not render a message.
 */
export function chatRenderer(name: string, template: string | undefined): ChatRenderer {
  if (template === undefined) return chatText;
  try {
    const parsed = new Template(template);
    const render = (content: string) =>
      parsed.render({ messages: [{ role: "user", content }], add_generation_prompt: true });
    if (!render("message").includes("message")) throw new Error("its output lacks the message");
    return render;
  } catch (cause) {
    throw new TokenizerError(`Cannot use ${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
