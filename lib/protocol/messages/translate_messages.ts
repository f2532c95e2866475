/**
 * Messages of Anthropic's API as those of a chat.
 *
 * @module
 */
import { invalidField, unsupportedParameter } from "../../errors/svc_error.ts";
import type { Places } from "../chat/dialect.ts";
import type { ImageBlock, MessageBlock, MessageField, TextBlock, ToolResultBlock } from "./message_blocks.ts";

type ChatBody = Record<string, unknown>;

/** The messages of a chat request, and what there is to say about them. */
interface TranslatedMessages {
  readonly messages: readonly ChatBody[];
  readonly notes: readonly string[];
}

/**
 * Translates messages: results of tools become messages of their own, in front of the texts and images beside them.
 *
 * @throws {SvcError} for a result without its call, for a call or a result whose id is there already, and for an answer
 * that is to be continued.
 */
export function chatMessages(
  system: string | readonly TextBlock[] | null | undefined,
  messages: readonly MessageField[],
  places: Places,
): TranslatedMessages {
  const walk = new Walk(places);
  if (system !== undefined && system !== null && system.length > 0) walk.system(system);
  for (const [i, message] of messages.entries()) walk.message(message, `messages[${i}]`);
  const last = messages.length - 1;
  if (messages[last].role === "assistant") {
    const message = `Cannot complete the chat: "messages[${last}].role" is "assistant", expected user in the last ` +
      "message: answers start from scratch, put a beginning into the messages";
    throw unsupportedParameter(message, `messages[${last}].role`);
  }
  return walk;
}

class Walk implements TranslatedMessages {
  readonly messages: ChatBody[] = [];
  readonly notes: string[] = [];
  readonly #places: Places;
  readonly #calls = new Set<string>();
  readonly #results = new Set<string>();

  constructor(places: Places) {
    this.#places = places;
  }

  system(content: string | readonly TextBlock[]): void {
    this.#add("system", { role: "system", content: typeof content === "string" ? content : content.map(textPart) });
  }

  message({ role, content }: MessageField, path: string): void {
    if (typeof content === "string") this.#add(path, { role, content });
    else if (role === "assistant") this.#assistant(content, path);
    else if (role === "user") this.#user(content, path);
    else this.#add(path, { role, content: (content as readonly TextBlock[]).map(textPart) });
  }

  #assistant(blocks: readonly MessageBlock[], path: string): void {
    const texts: unknown[] = [];
    const thoughts: string[] = [];
    const calls: unknown[] = [];
    for (const [j, block] of blocks.entries()) {
      if (block.type === "text") texts.push(textPart(block));
      if (block.type === "thinking") thoughts.push(block.thinking);
      if (block.type === "redacted_thinking") this.notes.push(`Ignored ${path}.content[${j}]: it cannot be read here`);
      if (block.type !== "tool_use") continue;
      if (this.#calls.has(block.id)) throw twice(`${path}.content[${j}].id`, block.id, "call");
      this.#calls.add(block.id);
      this.#places.set(`messages[${this.messages.length}].tool_calls[${calls.length}]`, `${path}.content[${j}]`);
      calls.push({ id: block.id, type: "function", function: { name: block.name, arguments: block.input } });
    }
    this.#add(path, {
      role: "assistant",
      content: texts.length === 0 ? "" : texts,
      ...thoughts.length === 0 ? {} : { reasoning_content: thoughts.join("\n\n") },
      ...calls.length === 0 ? {} : { tool_calls: calls },
    });
  }

  #user(blocks: readonly MessageBlock[], path: string): void {
    const parts: [part: unknown, own: string][] = [];
    const images: [part: unknown, own: string][] = [];
    for (const [j, block] of blocks.entries()) {
      const own = `${path}.content[${j}]`;
      if (block.type === "tool_result") images.push(...this.#result(block, own));
      else parts.push(...shownParts(block, own));
    }
    if (images.length > 0 || parts.length > 0) this.#parts([...images, ...parts], path);
    else if (blocks.length === 0) this.#add(path, { role: "user", content: "" });
  }

  /** Adds the answer of a function; returns its images, which only messages of users have. */
  #result({ tool_use_id: id, content, is_error: isError }: ToolResultBlock, own: string): [unknown, string][] {
    const param = `${own}.tool_use_id`;
    if (!this.#calls.has(id)) {
      const message = `Cannot complete the chat: "${param}" is ${JSON.stringify(id)}, expected the id of a tool_use ` +
        "block of an earlier message";
      throw invalidField(param, message);
    }
    if (this.#results.has(id)) throw twice(param, id, "result");
    this.#results.add(id);
    const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content ?? [];
    const parts = blocks.flatMap((block, k) => shownParts(block, `${own}.content[${k}]`));
    const isImage = ([part]: [unknown, string]): boolean => (part as { type: string }).type === "image_url";
    const images = parts.filter(isImage);
    const text = parts.filter((part) => !isImage(part)).map(([part]) => (part as TextBlock).text).join("\n");
    this.#add(own, { role: "tool", tool_call_id: id, content: isError === true ? `Error: ${text}` : text });
    if (images.length === 0) return [];
    return [[{ type: "text", text: `Image of the tool result ${id}:` }, own], ...images];
  }

  #parts(parts: readonly (readonly [unknown, string])[], path: string): void {
    const index = this.messages.length;
    for (const [j, [, own]] of parts.entries()) {
      this.#places.set(`messages[${index}].content[${j}]`, own);
      this.#places.set(`messages[${index}].content[${j}].image_url`, `${own}.source`);
    }
    this.#add(path, { role: "user", content: parts.map(([part]) => part) });
  }

  #add(own: string, message: ChatBody): void {
    this.#places.set(`messages[${this.messages.length}]`, own);
    this.messages.push(message);
  }
}

function shownParts(block: MessageBlock, own: string): [unknown, string][] {
  if (block.type === "text") return [[textPart(block), own]];
  if (block.type === "image") return [[{ type: "image_url", image_url: imageUrl(block) }, own]];
  if (block.type !== "document") return [];
  const { title, source } = block;
  return [[{ type: "text", text: title ? `${title}\n\n${source.data}` : source.data }, own]];
}

function textPart({ text }: TextBlock): TextBlock {
  return { type: "text", text };
}

function imageUrl({ source }: ImageBlock): string {
  return source.type === "url" ? source.url : `data:${source.media_type};base64,${source.data}`;
}

function twice(param: string, id: string, what: "call" | "result"): Error {
  const message = `Cannot complete the chat: "${param}" is ${JSON.stringify(id)}, which an earlier ${what} has, ` +
    "expected each id once";
  return invalidField(param, message);
}
