/**
 * Messages of a chat request.
 *
 * @module
 */
import * as v from "valibot";
import type { ChatMessage } from "./chat_request.ts";
import { messageField } from "./message_fields.ts";

/** The messages of a request: every role, text and image parts, tool calls and their answers. */
export const messagesField: v.GenericSchema<unknown, ChatMessage[]> = v.pipe(
  v.array(messageField, "expected an array of messages"),
  v.minLength(1, "expected at least one message"),
  v.transform(nameAnswers),
);

/** Templates want the function's name with its answer, which clients mostly leave out. */
function nameAnswers(messages: ChatMessage[]): ChatMessage[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === "assistant") { for (const call of message.toolCalls) names.set(call.id, call.name); }
    if (message.role !== "tool" || message.name !== undefined) return message;
    return { ...message, name: names.get(message.toolCallId) };
  });
}
