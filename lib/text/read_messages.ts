/**
 * Messages of a chat request.
 *
 * @module
 */
import * as v from "valibot";
import type { ChatMessage } from "./chat_request.ts";
import { messageFields, normalRole } from "./message_fields.ts";

const fieldsOf: ReadonlyMap<unknown, v.GenericSchema<unknown, unknown>> = new Map(Object.entries(messageFields));

/** The messages of a request: every role, text and image parts, tool calls and their answers. */
export const messagesField: v.GenericSchema<unknown, ChatMessage[]> = v.pipe(
  v.array(
    v.lazy((message) =>
      fieldsOf.get(normalRole((message as { role?: unknown } | null)?.role)) ?? messageFields.unknown
    ),
    "expected an array of messages",
  ),
  v.minLength(1, "expected at least one message"),
  v.transform((messages) => nameAnswers(messages.map(readMessage))),
);

type Fields = { [R in keyof typeof messageFields]: v.InferOutput<typeof messageFields[R]> };

/** `fields` has passed the schema of its role. */
function readMessage(fields: unknown): ChatMessage {
  const { role } = fields as Fields["unknown"];
  switch (role) {
    case "system":
    case "developer": {
      const { content, name } = fields as Fields["system"];
      return { role, content, name: name ?? undefined };
    }
    case "user": {
      const { content, name } = fields as Fields["user"];
      return { role, content, name: name ?? undefined };
    }
    case "tool": {
      const { content, name, tool_call_id } = fields as Fields["tool"];
      return { role, content, name: name ?? undefined, toolCallId: tool_call_id };
    }
    case "assistant": {
      const { content, refusal, reasoning_content, tool_calls, name } = fields as Fields["assistant"];
      return {
        role,
        content: content ?? refusal ?? "",
        reasoning: reasoning_content ?? undefined,
        toolCalls: tool_calls ?? [],
        name: name ?? undefined,
      };
    }
  }
}

/** Templates want the function's name with its answer, which clients mostly leave out. */
function nameAnswers(messages: readonly ChatMessage[]): ChatMessage[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === "assistant") { for (const call of message.toolCalls) names.set(call.id, call.name); }
    if (message.role !== "tool" || message.name !== undefined) return message;
    return { ...message, name: names.get(message.toolCallId) };
  });
}
