/**
 * Messages of a chat request.
 *
 * @module
 */
import * as v from "valibot";
import { listField } from "../../errors/bounded_fields.ts";
import type { ChatMessage } from "./chat_request.ts";
import { messageField } from "./message_fields.ts";

/** Messages of a request. */
const MAX_MESSAGES = 10_000;

/** The messages of a request: every role, text and image parts, tool calls and their answers. */
export const messagesField: v.GenericSchema<unknown, ChatMessage[]> = v.pipe(
  listField(messageField, {
    min: 1,
    max: MAX_MESSAGES,
    expected: `expected an array of 1 to ${MAX_MESSAGES} messages`,
  }),
  v.transform(nameAnswers),
);

/** Templates need the function's name with its answer, which clients mostly omit. */
function nameAnswers(messages: ChatMessage[]): ChatMessage[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === "assistant") { for (const call of message.toolCalls) names.set(call.id, call.name); }
    if (message.role !== "tool" || message.name !== undefined) return message;
    return { ...message, name: names.get(message.toolCallId) };
  });
}
