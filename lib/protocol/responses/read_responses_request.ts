/**
 * Requests of OpenAI's Responses as chats.
 *
 * @module
 */
import * as v from "valibot";
import { refusing } from "../../errors/declared_members.ts";
import type { FieldRefusal } from "../../errors/field_refusal.ts";
import { bodyRules, readFields } from "../../errors/read_fields.ts";
import { invalidField, invalidRequest } from "../../errors/svc_error.ts";
import { jsonObjectField, listField, recordField } from "../../json/bounded_fields.ts";
import { keepPartTexts } from "../../json/json_sources.ts";
import { type DialectChat, given, Places, readDialectChat } from "../chat/dialect.ts";
import { notArray, variants } from "../chat/variants.ts";
import { inputField, itemMessages, type PlacedItem, type ResponseItem } from "./response_items.ts";

const any = v.optional(v.unknown());
const text = v.string("expected a string");
const context = v.nullish(text);
const callsExpected = "expected an integer from 0";
const flag = v.nullish(v.boolean("expected true or false"));

const functionTool = v.object({
  type: any,
  name: text,
  description: v.nullish(text),
  parameters: v.nullish(jsonObjectField("expected a JSON Schema object")),
  strict: flag,
});

const MAX_TOOLS = 1024;
const toolList = (item: v.GenericSchema): v.GenericSchema =>
  listField(item, { max: MAX_TOOLS, expected: `expected an array of at most ${MAX_TOOLS} tools` });

const tool = variants({
  function: functionTool,
  // A group of functions, which the model gets one by one.
  namespace: v.object({
    type: any,
    name: text,
    description: v.nullish(text),
    tools: toolList(variants({ function: functionTool }, "a tool")),
  }),
}, "a tool");

/** What an answer may have besides itself; those of tools that are not here have no effect. */
const INCLUDES = [
  "message.output_text.logprobs",
  "reasoning.encrypted_content",
  "message.input_image.image_url",
  "file_search_call.results",
  "web_search_call.results",
  "web_search_call.action.sources",
  "computer_call_output.output.image_url",
  "code_interpreter_call.outputs",
] as const;
const includeExpected = `expected one of ${INCLUDES.join(", ")}`;

const verbosity: FieldRefusal = { field: "verbosity", neutral: ["medium"], remedy: "ask for it in the instructions" };

const OBJECT = "expected an object";
const FORMAT = "expected an object with format";
const EFFORT = "expected an object with effort";

const entries = {
  model: any,
  input: inputField,
  instructions: v.nullish(text),
  previous_response_id: v.nullish(text),
  store: flag,
  tools: v.nullish(toolList(tool)),
  tool_choice: any,
  parallel_tool_calls: flag,
  text: v.nullish(notArray(refusing(v.object({ format: any }, FORMAT), [verbosity]), FORMAT)),
  reasoning: v.nullish(notArray(v.object({ effort: any, summary: any, generate_summary: any }, EFFORT), EFFORT)),
  max_output_tokens: any,
  temperature: any,
  top_p: any,
  top_k: any,
  min_p: any,
  seed: any,
  presence_penalty: any,
  frequency_penalty: any,
  top_logprobs: any,
  include: v.nullish(
    listField(v.picklist(INCLUDES, includeExpected), { max: 32, expected: "expected an array of at most 32 strings" }),
  ),
  truncation: v.nullish(v.picklist(["disabled"], "expected disabled: prompts are never truncated")),
  stream: flag,
  stream_options: v.nullish(notArray(v.object({ include_obfuscation: flag }, OBJECT), OBJECT)),
  metadata: v.nullish(recordField(text, { max: 256, expected: "expected an object of at most 256 strings" })),
  user: context,
  service_tier: context,
  safety_identifier: context,
  prompt_cache_key: context,
  prompt_cache_retention: context,
  max_tool_calls: v.nullish(v.pipe(v.number(callsExpected), v.integer(callsExpected), v.minValue(0, callsExpected))),
} as const;

/** Every field of a request. */
export const responsesEntries: Readonly<Record<string, v.GenericSchema>> = entries;

const leaveOut = "expected no such field";
const refusals: readonly FieldRefusal[] = [
  { field: "background", neutral: [false], remedy: "expected false: wait for the answer, or stream it" },
  { field: "conversation", remedy: "use previous_response_id, or send the whole conversation as input" },
  { field: "prompt", remedy: "expected no such field: templates of prompts are not kept here" },
  { field: "messages", remedy: "use input instead" },
  { field: /^(response_format|reasoning_effort)$/, remedy: "use text.format and reasoning.effort instead" },
  { field: /^(max_tokens|max_completion_tokens)$/, remedy: "use max_output_tokens instead" },
  { field: /^(context_management|moderation)$/, neutral: [[]], remedy: leaveOut },
  { field: "n", neutral: [1], remedy: "expected 1: send one request per answer" },
];

const rules = bodyRules("complete the chat", entries, refusals);

/** The fields of a valid request. */
export interface ResponsesFields {
  readonly input: string | readonly ResponseItem[];
  readonly instructions?: string | null | undefined;
  readonly previous_response_id?: string | null | undefined;
  readonly store?: boolean | null | undefined;
  readonly tools?: readonly (FunctionTool | NamespaceTool)[] | null;
  readonly tool_choice?: unknown;
  readonly parallel_tool_calls?: boolean | null | undefined;
  readonly text?: { readonly format?: unknown } | null;
  readonly reasoning?: { readonly effort?: unknown; readonly summary?: unknown } | null;
  readonly include?: readonly string[] | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly stream?: boolean | null | undefined;
  readonly [field: string]: unknown;
}

interface FunctionTool {
  readonly type: "function";
  readonly name: string;
  readonly description?: string | null;
  readonly parameters?: unknown;
  readonly strict?: boolean | null;
}

interface NamespaceTool {
  readonly type: "namespace";
  readonly name: string;
  readonly tools: readonly FunctionTool[];
}

/** A function, where the request has it, and its group. */
interface OfferedTool {
  readonly tool: FunctionTool;
  readonly path: string;
  readonly namespace?: string;
}

function offeredTools({ tools }: Pick<ResponsesFields, "tools">): OfferedTool[] {
  return (tools ?? []).flatMap((tool, i): OfferedTool[] =>
    tool.type === "function"
      ? [{ tool, path: `tools[${i}]` }]
      : tool.tools.map((one, j) => ({ tool: one, path: `tools[${i}].tools[${j}]`, namespace: tool.name }))
  );
}

/** The groups of functions, by the names of these. */
export function namespacesOf(fields: Pick<ResponsesFields, "tools">): ReadonlyMap<string, string> {
  return new Map(offeredTools(fields).flatMap(({ tool, namespace }) => namespace ? [[tool.name, namespace]] : []));
}

/** What earlier responses have left. */
export interface KeptItems {
  /** All items up to the end of a response; undefined when it is not kept. */
  history(id: string): readonly ResponseItem[] | undefined;
  /** An item of any response that is kept. */
  item(id: string): ResponseItem | undefined;
}

/** A chat, and what its answer repeats. */
export interface ResponsesChat extends DialectChat {
  readonly fields: ResponsesFields;
  /** The items of this request. */
  readonly input: readonly ResponseItem[];
  /** Those before them. */
  readonly history: readonly ResponseItem[];
}

/**
 * Translates a request.
 *
 * @throws {SvcError} as for chats, with the paths of this request; `previous_response_not_found`.
 */
export function readResponsesRequest(body: unknown, kept: KeptItems): ResponsesChat {
  const { fields: read, warnings } = readFields(body, rules);
  const fields = read as unknown as ResponsesFields;
  keepSchemas(body as ResponsesFields);
  const { previous_response_id: previous } = fields;
  const history = previous ? kept.history(previous) : [];
  if (history === undefined) throw notKept(previous!);
  const placed = placedItems(fields.input, kept);
  const places = placesOf(fields);
  const before = history.map((item): PlacedItem => ({ item, path: "previous_response_id" }));
  const wantsLogprobs = fields.include?.includes("message.output_text.logprobs") || (fields.top_logprobs ?? 0) !== 0;
  const chat = readDialectChat(
    given({
      model: fields.model,
      messages: itemMessages(fields.instructions, [...before, ...placed], places),
      max_completion_tokens: fields.max_output_tokens,
      temperature: fields.temperature,
      top_p: fields.top_p,
      top_k: fields.top_k,
      min_p: fields.min_p,
      seed: fields.seed,
      presence_penalty: fields.presence_penalty,
      frequency_penalty: fields.frequency_penalty,
      logprobs: wantsLogprobs ? true : undefined,
      top_logprobs: wantsLogprobs ? fields.top_logprobs : undefined,
      tools: offeredTools(fields).map(({ tool: { type, name, description, parameters, strict } }) => (
        { type, function: given({ name, description, parameters, strict }) }
      )),
      tool_choice: chatToolChoice(fields.tool_choice),
      parallel_tool_calls: fields.parallel_tool_calls,
      response_format: fields.text?.format,
      reasoning_effort: fields.reasoning?.effort,
      stream: fields.stream,
      stream_options: fields.stream ? { include_reasoning: true } : undefined,
    }),
    places,
    warnings,
  );
  return { ...chat, fields, input: placed.map(({ item }) => item), history };
}

/** `tool_choice` of chats has the name of a function one level deeper. */
function chatToolChoice(choice: unknown): unknown {
  if (typeof choice !== "object" || choice === null) return choice;
  const { type, name, mode, tools } = choice as Record<string, unknown>;
  if (type === "function") return { type, function: { name } };
  if (type !== "allowed_tools" || !Array.isArray(tools)) return choice;
  return { type, allowed_tools: { mode, tools: tools.map(chatToolChoice) } };
}

function placedItems(input: ResponsesFields["input"], kept: KeptItems): PlacedItem[] {
  if (typeof input === "string") return [{ item: { type: "message", role: "user", content: input }, path: "input" }];
  return input.map((item, i) => {
    const path = `input[${i}]`;
    if (item.type !== "item_reference") return { item, path };
    const found = kept.item(item.id);
    if (found !== undefined) return { item: found, path };
    const message = `Cannot complete the chat: "${path}.id" is ${JSON.stringify(item.id)}, which is not kept here, ` +
      "expected the id of an item of a response that is kept: send the item itself";
    throw invalidField(`${path}.id`, message);
  });
}

function notKept(id: string): Error {
  const message = `Cannot complete the chat: "previous_response_id" is ${JSON.stringify(id)}, which is not kept here ` +
    "or no longer, send the whole conversation as input";
  return invalidRequest("previous_response_not_found", message, "previous_response_id");
}

const RENAMED = {
  messages: "input",
  max_completion_tokens: "max_output_tokens",
  logprobs: "include",
  response_format: "text.format",
  "response_format.json_schema": "text.format",
  reasoning_effort: "reasoning.effort",
};

function placesOf(fields: ResponsesFields): Places {
  const places = new Places();
  for (const [chat, own] of Object.entries(RENAMED)) places.set(chat, own);
  for (const [i, { path }] of offeredTools(fields).entries()) {
    places.set(`tools[${i}]`, path);
    places.set(`tools[${i}].function`, path);
  }
  return places;
}

/** Keeps the texts of schemas, which the model reads as they were written. */
function keepSchemas(body: ResponsesFields): void {
  const parts = offeredTools(body).flatMap(({ tool: { parameters }, path }) => {
    const pointer = `/${path.replaceAll("[", "/").replaceAll("]", "").replaceAll(".", "/")}/parameters`;
    return typeof parameters === "object" && parameters !== null ? [[pointer, parameters] as const] : [];
  });
  keepPartTexts(body, parts);
}
