/**
 * Messages in the form that chat templates expect.
 *
 * @module
 */
import type { ChatMessage } from "../chat/chat_request.ts";
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

/** A message as templates see it. */
export function templateMessage(message: ChatMessage, skills: TemplateSkills): Record<string, unknown> {
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
      return { ...assistantMessage(message, skills), ...name };
  }
}

function assistantMessage(
  { content, reasoning, toolCalls }: Extract<ChatMessage, { role: "assistant" }>,
  skills: TemplateSkills,
): Record<string, unknown> {
  const thought = reasoning === undefined || skills.reasoning
    ? ""
    : `${skills.tags.open}\n${reasoning}\n${skills.tags.close}\n\n`;
  const calls = skills.tools
    ? []
    : toolCalls.map(({ name, arguments: given }) =>
      `<tool_call>${JSON.stringify({ name, arguments: given })}</tool_call>`
    );
  const said = thought + [...content === "" ? [] : [content], ...calls].join("\n");
  return {
    role: "assistant",
    content: said,
    ...reasoning !== undefined && skills.reasoning ? { reasoning_content: reasoning, thinking: reasoning } : {},
    ...skills.tools && toolCalls.length > 0
      ? {
        tool_calls: toolCalls.map(({ id, name, arguments: given }) => ({
          id,
          type: "function",
          function: { name, arguments: given },
        })),
      }
      : {},
  };
}
