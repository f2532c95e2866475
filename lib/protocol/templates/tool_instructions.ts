/**
 * Instructions about tools that the template does not give.
 *
 * @module
 */
import type { ChatMessage, ChatRequest, ToolDefinition } from "../chat/chat_request.ts";

/** Turns `tool_choice` and `parallel_tool_calls` into an instruction; undefined when none is needed. */
export function toolInstruction(
  { tools, toolChoice, parallelToolCalls }: Pick<ChatRequest, "tools" | "toolChoice" | "parallelToolCalls">,
): string | undefined {
  if (tools.length === 0) return undefined;
  const one = parallelToolCalls ? "" : " Make exactly one call.";
  switch (toolChoice.mode) {
    case "auto":
      return parallelToolCalls ? undefined : "When you call a function, make only one call in your answer.";
    case "required":
      return `Answer with a call of one of the functions, and with nothing else.${one}`;
    case "function":
      return `Answer with a call of the function ${toolChoice.name}, and with nothing else.${one}`;
  }
}

/** The functions and how to call them, for models whose template does not handle tools. */
export function toolList(tools: readonly ToolDefinition[]): string {
  const lines = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
  return [
    "You can call functions. These are their signatures, one in a line:",
    ...lines,
    "To call a function, answer with a JSON object between marks:",
    '<tool_call>{"name": "<name>", "arguments": {<arguments>}}</tool_call>',
  ].join("\n");
}

/** Appends a text to the first system message, or adds one. */
export function withInstruction(messages: readonly ChatMessage[], text: string): ChatMessage[] {
  const at = messages.findIndex(({ role }) => role === "system" || role === "developer");
  if (at < 0) return [{ role: "system", content: text, name: undefined }, ...messages];
  return messages.map((message, i) =>
    i === at && (message.role === "system" || message.role === "developer")
      ? { ...message, content: `${message.content}\n\n${text}` }
      : message
  );
}
