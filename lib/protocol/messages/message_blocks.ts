/**
 * The blocks of Anthropic's messages, by their roles.
 *
 * @module
 */
import * as v from "valibot";
import { jsonObjectField, listField } from "../../json/bounded_fields.ts";
import { variants } from "../chat/variants.ts";

const text = v.string("expected a string");
const any = v.optional(v.unknown());
const id = v.pipe(text, v.nonEmpty("expected an id"));

/** Blocks of a message. */
const MAX_BLOCKS = 1024;

/** A text. */
export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

/** An image: data in base64, or a local URL. */
export interface ImageBlock {
  readonly type: "image";
  readonly source:
    | { readonly type: "base64"; readonly media_type: string; readonly data: string }
    | { readonly type: "url"; readonly url: string };
}

/** A text as a document. */
export interface DocumentBlock {
  readonly type: "document";
  readonly source: { readonly data: string };
  readonly title?: string | null | undefined;
}

/** What a called function has answered. */
export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content?: string | readonly (TextBlock | ImageBlock | DocumentBlock)[] | null | undefined;
  readonly is_error?: boolean | null | undefined;
}

/** A call of a function. */
export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the model has reasoned. */
export type ThinkingBlock =
  | { readonly type: "thinking"; readonly thinking: string }
  | { readonly type: "redacted_thinking" };

/** A block of a message of any role. */
export type MessageBlock = TextBlock | ImageBlock | DocumentBlock | ToolResultBlock | ToolUseBlock | ThinkingBlock;

const textBlock = v.object({ type: any, text, cache_control: any, citations: any });

const source = variants(
  {
    base64: v.object({
      type: any,
      media_type: v.pipe(text, v.regex(/^image\/[a-z0-9.+-]+$/i, "expected the type of an image")),
      data: text,
    }),
    url: v.object({ type: any, url: text }),
  },
  "a source",
  { file: "files are not kept here: send the image as base64" },
);

const imageBlock = v.object({ type: any, source, cache_control: any });

const documentBlock = v.object({
  type: any,
  source: variants(
    { text: v.object({ type: any, media_type: any, data: text }) },
    "a source",
    Object.fromEntries(["base64", "url", "file", "content"].map((type) => [type, "send the text of the document"])),
  ),
  title: v.nullish(text),
  context: any,
  citations: any,
  cache_control: any,
});

const expectedBlocks = `expected a string or an array of at most ${MAX_BLOCKS} blocks`;

function blocks(item: v.GenericSchema): v.GenericSchema {
  const list = listField(item, { max: MAX_BLOCKS, expected: expectedBlocks });
  return v.lazy((value) => Array.isArray(value) ? list : v.string(expectedBlocks));
}

const shown = { text: textBlock, image: imageBlock, document: documentBlock };

const toolResultBlock = v.object({
  type: any,
  tool_use_id: id,
  content: v.nullish(blocks(variants(shown, "a block"))),
  is_error: v.nullish(v.boolean("expected true or false")),
  cache_control: any,
});

const toolUseBlock = v.object({
  type: any,
  id,
  name: v.pipe(text, v.nonEmpty("expected the name of a function")),
  input: jsonObjectField("expected an object"),
  cache_control: any,
  caller: any,
});

const thinkingBlock = v.object({ type: any, thinking: text, signature: any });
const redactedBlock = v.object({ type: any, data: any });

const byRole: Readonly<Record<string, v.GenericSchema>> = {
  system: blocks(variants({ text: textBlock }, "a block")),
  user: blocks(variants({ ...shown, tool_result: toolResultBlock }, "a block")),
  assistant: blocks(
    variants(
      { text: textBlock, tool_use: toolUseBlock, thinking: thinkingBlock, redacted_thinking: redactedBlock },
      "a block",
    ),
  ),
};

const roleExpected = "expected user or assistant";
const role = v.pipe(v.string(roleExpected), v.check((role) => Object.hasOwn(byRole, role), roleExpected));
const messages = Object.fromEntries(
  Object.entries(byRole).map(([name, content]) => [name, v.object({ role, content })]),
);

/** `system`: a text, or blocks of text. */
export const systemField: v.GenericSchema<unknown, string | readonly TextBlock[] | null | undefined> = v.nullish(
  byRole.system,
) as v.GenericSchema<unknown, string | readonly TextBlock[] | null | undefined>;

/** A message. */
export interface MessageField {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly MessageBlock[];
}

const MAX_MESSAGES = 10_000;

/** The messages of a request. */
export const messagesField: v.GenericSchema<unknown, MessageField[]> = listField(
  v.lazy((message) => {
    const given = (message as { readonly role?: unknown } | null)?.role;
    return typeof given === "string" && Object.hasOwn(messages, given)
      ? messages[given]
      : v.object({ role }, "expected a message, such as { role, content }");
  }),
  { min: 1, max: MAX_MESSAGES, expected: `expected an array of 1 to ${MAX_MESSAGES} messages` },
) as v.GenericSchema<unknown, MessageField[]>;
