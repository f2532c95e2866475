/**
 * The part of a prompt that stays when its chat continues.
 *
 * @module
 */
import type { ChatMessage, ChatTemplate, RenderedPrompt, TemplateRequest } from "../../protocol/mod.ts";

/** Replaces a last message, so that it differs from every other one from its first letter on. */
const OTHER = "\u{10fffd}";

/**
 * Number of leading tokens that do not depend on the last message: they stay the same for another question, and when
 * the chat continues.
 *
 * @param prompt The tokens of `rendered`.
 */
export function stablePrefix(
  template: ChatTemplate,
  request: TemplateRequest,
  now: Date,
  rendered: Pick<RenderedPrompt, "text">,
  prompt: readonly number[],
  encode: (text: string) => readonly number[],
): number {
  const messages = [...request.messages];
  const last = messages.pop();
  if (last === undefined) return 0;
  const other = renderOrNothing(template, { ...request, messages: [...messages, withOtherContent(last)] }, now);
  const shared = commonLength(rendered.text, other);
  const [head, tail] = [rendered.text.slice(0, shared), rendered.text.slice(shared)];
  // The shorter side is encoded. Removing the tail's tokens from the end of the prompt leaves those of the head.
  if (tail.length < head.length) {
    const end = encode(tail);
    const count = prompt.length - end.length;
    if (count >= 0 && end.every((id, i) => prompt[count + i] === id)) return count;
  }
  return commonLength(prompt, encode(head));
}

/** A template may reject the placeholder: then nothing is known to stay. */
function renderOrNothing(template: ChatTemplate, request: TemplateRequest, now: Date): string {
  try {
    return template.render(request, now).text;
  } catch {
    return "";
  }
}

function withOtherContent(message: ChatMessage): ChatMessage {
  return message.role === "assistant"
    ? { ...message, content: OTHER, reasoning: undefined, toolCalls: [] }
    : { ...message, content: OTHER };
}

function commonLength(a: ArrayLike<unknown>, b: ArrayLike<unknown>): number {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  return i;
}
