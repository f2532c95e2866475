/**
 * The prompt of a chat: where its images are, whether it is excessively long, and the part that stays when the chat
 * continues.
 *
 * @module
 */
import type {
  ChatMessage,
  ChatTemplate,
  RenderedPrompt,
  TemplateRequest,
  TemplateSources,
} from "../../protocol/mod.ts";

/** How templates go through the parts of a message. They write texts one after another, as models were trained. */
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

/** Generous estimate of letters per token: longer texts are not encoded as a whole. */
const TOKEN_LETTERS = 16;

/**
 * A lower bound on the tokens of a text whose beginning alone has too many; undefined for all others. Encoding
 * megabytes would take seconds, only to refuse them.
 *
 * @param count Encodes a text and counts its tokens.
 * @param max Number of tokens allowed.
 */
export function minTokens(count: (text: string) => number, text: string, max: number): number | undefined {
  const letters = max * TOKEN_LETTERS;
  if (text.length <= letters) return undefined;
  // The last token may continue after the cut.
  const min = count(text.slice(0, letters)) - 1;
  return min > max ? min : undefined;
}

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
