/**
 * Images in the messages of models whose templates do not write where they are.
 *
 * @module
 */
import type { TemplateRequest, TemplateSources } from "../../protocol/mod.ts";

/** How templates go through the parts of a message. They write texts one behind the other, as models were trained. */
const PARTS = /\bfor\s+\w+\s+in\s+\w+(\.content\b|\[\s*['"]content['"]\s*\])/;

/** A request whose messages have a mark in place of each image, between their texts. */
export function withImageMarks<R extends TemplateRequest>(request: R, mark: string, { chat = "" }: TemplateSources): R {
  const between = PARTS.test(chat) ? "" : "\n";
  const messages = request.messages.map((message) => {
    if (message.role !== "user" || typeof message.content === "string") return message;
    const texts = message.content.map((part) => part.type === "text" ? part.text : mark);
    return { ...message, content: texts.join(between) };
  });
  return { ...request, messages };
}
