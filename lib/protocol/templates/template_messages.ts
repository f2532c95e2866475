/**
 * Messages as templates take them, with instructions about tools that the template does not give.
 *
 * @module
 */
import type { ChatMessage, ChatRequest, ToolCall, ToolDefinition } from "../chat/chat_request.ts";
import { spacedJson } from "../../json/json_sources.ts";
import { JsonText } from "./json_values.ts";
import type { ReasoningTags } from "../reasoning/reasoning_tags.ts";

/** What a template supports; everything else becomes text. */
export interface TemplateSkills {
  readonly developerRole: boolean;
  readonly tools: boolean;
  /** Whether it renders the reasoning of earlier messages itself. */
  readonly reasoning: boolean;
  readonly tags: ReasoningTags;
  /** Whether no reasoning is an effort, `none`. */
  readonly effortNone: boolean;
}

/** Derives what a template supports from its text. */
export function templateSkills(template: string, tags: ReasoningTags): TemplateSkills {
  return {
    developerRole: /["']developer["']/.test(template),
    tools: /\btools\b/.test(template),
    reasoning: /\breasoning_content\b|\.thinking\b|\[['"]thinking['"]\]/.test(template),
    tags,
    effortNone: /\breasoning_effort\b/.test(template) && /["']none["']/.test(template),
  };
}

/** How arguments that are not a JSON object are given to a template: as a text, or as the one member of an object. */
export type ForeignArguments = "text" | "member";

/** A message as templates see it. */
export function templateMessage(
  message: ChatMessage,
  skills: TemplateSkills,
  foreign: ForeignArguments,
): Record<string, unknown> {
  const name = message.name === undefined ? {} : { name: message.name };
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content, ...name };
    case "developer":
      return { role: skills.developerRole ? "developer" : "system", content: message.content, ...name };
    case "user": {
      // Images are inserted elsewhere: a template only marks their positions.
      const content = typeof message.content === "string"
        ? message.content
        : message.content.map((part) => part.type === "text" ? part : { type: "image" });
      return { role: "user", content, ...name };
    }
    case "tool":
      if (!skills.tools) return { role: "user", content: `<tool_response>${message.content}</tool_response>` };
      return { role: "tool", content: message.content, tool_call_id: message.toolCallId, ...name };
    case "assistant":
      return { ...assistantMessage(message, skills, foreign), ...name };
  }
}

function assistantMessage(
  { content, reasoning, toolCalls }: Extract<ChatMessage, { role: "assistant" }>,
  skills: TemplateSkills,
  foreign: ForeignArguments,
): Record<string, unknown> {
  const thought = reasoning === undefined || skills.reasoning
    ? ""
    : `${skills.tags.open}\n${reasoning}\n${skills.tags.close}\n\n`;
  const calls = skills.tools ? [] : toolCalls.map(({ name, arguments: given, isForeign }) => {
    const json = isForeign ? JSON.stringify(given) : spacedJson(given, {});
    return `<tool_call>{"name":${JSON.stringify(name)},"arguments":${json}}</tool_call>`;
  });
  const said = thought + [...content === "" ? [] : [content], ...calls].join("\n");
  return {
    role: "assistant",
    content: said,
    ...reasoning !== undefined && skills.reasoning ? { reasoning_content: reasoning, thinking: reasoning } : {},
    ...skills.tools && toolCalls.length > 0
      ? {
        tool_calls: toolCalls.map((call) => ({
          id: call.id,
          type: "function",
          function: { name: call.name, arguments: templateArguments(call, foreign) },
        })),
      }
      : {},
  };
}

function templateArguments({ arguments: given, isForeign }: ToolCall, foreign: ForeignArguments): unknown {
  if (!isForeign) return new JsonText(given);
  return foreign === "text" ? given : { arguments: given };
}

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
  const lines = tools.map(({ name, description, parameters, parametersText }) => {
    const head = JSON.stringify({ name, description }).slice(0, -1);
    return `${head},"parameters":${parametersText ?? JSON.stringify(parameters)}}`;
  });
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
