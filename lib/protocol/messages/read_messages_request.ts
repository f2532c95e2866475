/**
 * Requests of Anthropic's Messages as chats.
 *
 * @module
 */
import * as v from "valibot";
import { refusing } from "../../errors/declared_members.ts";
import type { FieldRefusal } from "../../errors/field_refusal.ts";
import { bodyRules, readFields } from "../../errors/read_fields.ts";
import { jsonObjectField, listField } from "../../json/bounded_fields.ts";
import { keepPartTexts } from "../../json/json_sources.ts";
import type { ReasoningEffort } from "../chat/chat_request.ts";
import { type DialectChat, given, Places, readDialectChat } from "../chat/dialect.ts";
import { notArray, variants } from "../chat/variants.ts";
import { type MessageField, messagesField, systemField, type TextBlock } from "./message_blocks.ts";
import { chatMessages } from "./translate_messages.ts";

const any = v.optional(v.unknown());
const text = v.string("expected a string");
const flag = v.nullish(v.boolean("expected true or false"));
const tokensExpected = "expected an integer from 1";
const tokens = v.pipe(v.number(tokensExpected), v.integer(tokensExpected), v.minValue(1, tokensExpected));

const tool = variants(
  {
    custom: v.object({
      type: any,
      name: text,
      description: v.nullish(text),
      input_schema: jsonObjectField("expected a JSON Schema object"),
      strict: flag,
      cache_control: any,
      eager_input_streaming: any,
    }),
  },
  "a tool",
  {},
  "custom",
);

const toolChoice = variants({
  auto: v.object({ type: any, disable_parallel_tool_use: flag }),
  any: v.object({ type: any, disable_parallel_tool_use: flag }),
  tool: v.object({ type: any, name: text, disable_parallel_tool_use: flag }),
  none: v.object({ type: any }),
}, "a choice");

const display = v.nullish(v.picklist(["summarized", "omitted"], "expected summarized or omitted"));
const thinking = variants({
  enabled: v.object({ type: any, budget_tokens: tokens, display }),
  adaptive: v.object({ type: any, display }),
  disabled: v.object({ type: any }),
}, "an object");

const format = v.nullish(
  variants({ json_schema: v.object({ type: any, schema: jsonObjectField("expected an object") }) }, "a format"),
);
const outputConfig = refusing(
  v.object({
    effort: v.nullish(
      v.picklist(["low", "medium", "high", "xhigh", "max"], "expected low, medium, high, xhigh or max"),
    ),
    format,
  }, "expected an object with effort or format"),
  [],
);

const entries = {
  model: any,
  messages: messagesField,
  system: systemField,
  tools: v.nullish(listField(tool, { max: 1024, expected: "expected an array of at most 1024 tools" })),
  tool_choice: v.nullish(toolChoice),
  thinking: v.nullish(thinking),
  output_config: v.nullish(notArray(outputConfig, "expected an object with effort or format")),
  /** The name that `output_config.format` had. */
  output_format: format,
  cache_control: any,
};

const withUser = "expected an object with user_id";
const metadata = v.nullish(notArray(v.object({ user_id: any }, withUser), withUser));

/** What the other side would do and this one does not. */
const refusals: readonly FieldRefusal[] = [
  { field: "mcp_servers", neutral: [[]], remedy: "expected no such field: offer the tools as functions" },
  { field: "container", remedy: "expected no such field" },
  { field: "thread", remedy: "expected no such field: messages are not kept here, send the whole conversation" },
  { field: "compaction", remedy: "expected no such field: ask for a summary in a message" },
  { field: "max_tokens_to_sample", remedy: "use max_tokens instead" },
  { field: "prompt", remedy: "use messages instead" },
];

const answered = {
  ...entries,
  max_tokens: tokens,
  stop_sequences: any,
  temperature: any,
  top_p: any,
  top_k: any,
  stream: flag,
  metadata,
  service_tier: v.nullish(text),
} as const;

/** Every field of a request, and of one that counts its tokens. */
export const messagesEntries: Readonly<Record<string, v.GenericSchema>> = answered;

const rules = {
  answer: bodyRules("complete the chat", answered, refusals),
  count: bodyRules("count the tokens", entries, refusals),
};

/** A chat, and whether its reasoning is shown. */
export interface MessagesChat extends DialectChat {
  readonly showThinking: boolean;
}

/** The fields of a valid body. */
interface Fields {
  readonly model?: unknown;
  readonly messages: readonly MessageField[];
  readonly system?: string | readonly TextBlock[] | null;
  readonly tools?: readonly Tool[] | null;
  readonly tool_choice?: {
    readonly type: string;
    readonly name?: string;
    readonly disable_parallel_tool_use?: boolean;
  };
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number; readonly display?: string } | null;
  readonly output_config?: {
    readonly effort?: Exclude<ReasoningEffort, "off">;
    readonly format?: Format | null;
  } | null;
  readonly output_format?: Format | null;
  readonly [field: string]: unknown;
}

interface Format {
  readonly schema: unknown;
}

interface Tool {
  readonly name: string;
  readonly description?: string | null;
  readonly input_schema: unknown;
  readonly strict?: boolean | null;
}

/**
 * Translates a request.
 *
 * @param purpose `count` for a request that has only what a prompt is made of.
 * @throws {SvcError} as for chats, with the paths of this request.
 */
export function readMessagesRequest(body: unknown, purpose: "answer" | "count"): MessagesChat {
  const { fields: read, warnings } = readFields<unknown>(body, rules[purpose]);
  const fields = read as Fields;
  keepSchemas(body as Fields);
  const places = placesOf(fields);
  const { messages, notes } = chatMessages(fields.system, fields.messages, places);
  const { thinking, output_config: config } = fields;
  const showThinking = (thinking?.type === "enabled" || thinking?.type === "adaptive") &&
    thinking.display !== "omitted";
  const isOff = thinking?.type === "disabled";
  const format = config?.format ?? fields.output_format;
  const chat = readDialectChat(
    given({
      model: fields.model,
      messages,
      max_tokens: fields.max_tokens,
      stop: fields.stop_sequences,
      temperature: fields.temperature,
      top_p: fields.top_p,
      top_k: fields.top_k,
      stream: fields.stream,
      stream_options: fields.stream === true ? { include_reasoning: showThinking } : undefined,
      tools: fields.tools?.map(chatTool),
      tool_choice: chatToolChoice(fields.tool_choice),
      parallel_tool_calls: fields.tool_choice?.disable_parallel_tool_use === true ? false : undefined,
      thinking: thinking?.type === "enabled" ? true : isOff ? false : undefined,
      response_format: format
        ? { type: "json_schema", json_schema: { name: "answer", schema: format.schema, strict: true } }
        : undefined,
    }),
    places,
    [...warnings, ...notes, ...isOff && config?.effort ? ["Ignored output_config.effort: thinking is disabled"] : []],
  );
  const wish = isOff ? undefined : config?.effort ?? thinking?.budget_tokens;
  const request = { ...chat.request, reasoning: { ...chat.request.reasoning, wish } };
  return { ...chat, request, showThinking };
}

function chatTool({ name, description, input_schema: parameters, strict }: Tool): unknown {
  return { type: "function", function: given({ name, description, parameters, strict }) };
}

function chatToolChoice(choice: Fields["tool_choice"]): unknown {
  if (choice?.type === "tool") return { type: "function", function: { name: choice.name } };
  return choice && (choice.type === "any" ? "required" : choice.type);
}

function placesOf({ tools, output_config: config }: Fields): Places {
  const places = new Places();
  const format = config?.format ? "output_config.format" : "output_format";
  const renamed = { ...RENAMED, response_format: format, "response_format.json_schema": format };
  for (const [chat, own] of Object.entries(renamed)) places.set(chat, own);
  for (let i = 0; i < (tools?.length ?? 0); i++) {
    places.set(`tools[${i}].function`, `tools[${i}]`);
    places.set(`tools[${i}].function.parameters`, `tools[${i}].input_schema`);
  }
  return places;
}

const RENAMED = {
  stop: "stop_sequences",
  parallel_tool_calls: "tool_choice.disable_parallel_tool_use",
};

/** Keeps the texts of schemas and arguments, which the model reads as they were written. */
function keepSchemas(body: Fields): void {
  const parts: [string, unknown][] = [];
  for (const [i, tool] of (body.tools ?? []).entries()) parts.push([`/tools/${i}/input_schema`, tool.input_schema]);
  for (const [i, { content }] of body.messages.entries()) {
    if (typeof content === "string") continue;
    for (const [j, block] of content.entries()) {
      if (block.type === "tool_use") parts.push([`/messages/${i}/content/${j}/input`, block.input]);
    }
  }
  keepPartTexts(body, parts);
}
