/**
 * The fields of a chat request and their bounds. Null counts as omitted.
 *
 * @module
 */
import * as v from "valibot";
import { jsonObjectField, listField, recordField } from "../../json/bounded_fields.ts";
import { MAX_PATH_BYTES } from "../../json/path_text.ts";
import { refusing } from "../../errors/declared_members.ts";
import type { ChatMessage, ToolDefinition } from "./chat_request.ts";
import { type FormatField, formatField } from "./format_field.ts";
import { messagesField } from "./message_fields.ts";
import { toolChoiceField, toolsField } from "./tool_fields.ts";

/** Maximum number of tokens that a request can ask for. */
const MAX_TOKENS = 2 ** 31 - 1;

function number(min: number, max: number) {
  const expected = `expected a number from ${min} to ${max}`;
  return v.nullish(v.pipe(v.number(expected), v.minValue(min, expected), v.maxValue(max, expected)));
}

function integer(min: number, max: number) {
  const expected = `expected an integer from ${min} to ${max}`;
  return v.nullish(
    v.pipe(v.number(expected), v.integer(expected), v.minValue(min, expected), v.maxValue(max, expected)),
  );
}

const flag = v.nullish(v.boolean("expected true or false"), false);
const context = v.nullish(v.string("expected a string"));
const positive = "expected a positive number that a 32-bit float can hold";

// More or longer strings than any client needs would cost memory for each running request.
const stopExpected = "expected a string or an array of at most 64 strings, each of at most 1024 characters";
const stopText = v.pipe(v.string(stopExpected), v.maxLength(1024, stopExpected));
const stopList = listField(stopText, { max: 64, expected: stopExpected });

const jsonObject = jsonObjectField("expected an object");

const biasExpected = "expected an object of at most 10000 numbers from -100 to 100 under token ids";
const logitBias = v.pipe(
  jsonObject,
  v.check((bias) => {
    const entries = Object.entries(bias);
    return entries.length <= 10_000 &&
      entries.every(([id, value]) =>
        /^(0|[1-9]\d{0,8})$/.test(id) && typeof value === "number" && Math.abs(value) <= 100
      );
  }, biasExpected),
  v.transform((bias) => new Map(Object.entries(bias as Record<string, number>).map(([id, value]) => [+id, value]))),
);

const streamOptions = refusing(
  v.object(
    { include_usage: flag, include_reasoning: flag, include_obfuscation: flag },
    "expected an object with include_usage",
  ),
  [{
    field: "continuous_usage_stats",
    neutral: [false],
    remedy: "expected include_usage: the last chunk has the usage",
  }],
);

const modelExpected = `expected the id of a model, of at most ${MAX_PATH_BYTES} characters`;

const fields = v.object({
  model: v.pipe(v.string(modelExpected), v.maxLength(MAX_PATH_BYTES, modelExpected)),
  messages: messagesField,
  temperature: number(0, 2),
  top_p: number(0, 1),
  min_p: number(0, 1),
  top_k: integer(0, MAX_TOKENS),
  max_tokens: integer(1, MAX_TOKENS),
  max_completion_tokens: integer(1, MAX_TOKENS),
  stream: flag,
  stream_options: v.nullish(streamOptions),
  stop: v.nullish(v.lazy((value) => Array.isArray(value) ? stopList : stopText)),
  seed: integer(0, Number.MAX_SAFE_INTEGER),
  presence_penalty: number(-2, 2),
  frequency_penalty: number(-2, 2),
  repetition_penalty: v.nullish(
    v.pipe(
      v.number(positive),
      v.check((value) => Math.fround(value) > 0 && Number.isFinite(Math.fround(value)), positive),
    ),
  ),
  logit_bias: v.nullish(logitBias),
  logprobs: flag,
  top_logprobs: integer(0, 20),
  tools: toolsField,
  tool_choice: toolChoiceField,
  parallel_tool_calls: v.nullish(v.boolean("expected true or false"), true),
  response_format: v.nullish(formatField),
  reasoning_effort: v.optional(v.unknown()),
  enable_thinking: v.optional(v.unknown()),
  think: v.optional(v.unknown()),
  thinking: v.optional(v.unknown()),
  chat_template_kwargs: v.nullish(jsonObject),
  svc_show_unmasking: flag,
  metadata: v.nullish(
    recordField(v.string("expected a string"), { max: 256, expected: "expected an object of at most 256 strings" }),
  ),
  user: context,
  service_tier: context,
  safety_identifier: context,
  prompt_cache_key: context,
});

/** A body with valid types and bounds. */
export interface ChatFields {
  readonly model: string;
  readonly messages: ChatMessage[];
  readonly temperature?: Omissible<number>;
  readonly top_p?: Omissible<number>;
  readonly min_p?: Omissible<number>;
  readonly top_k?: Omissible<number>;
  readonly max_tokens?: Omissible<number>;
  readonly max_completion_tokens?: Omissible<number>;
  readonly stream: boolean;
  readonly stream_options?: Omissible<{ readonly include_usage: boolean; readonly include_reasoning: boolean }>;
  readonly stop?: Omissible<string | string[]>;
  readonly seed?: Omissible<number>;
  readonly presence_penalty?: Omissible<number>;
  readonly frequency_penalty?: Omissible<number>;
  readonly repetition_penalty?: Omissible<number>;
  readonly logit_bias?: Omissible<Map<number, number>>;
  readonly logprobs: boolean;
  readonly top_logprobs?: Omissible<number>;
  readonly tools: ToolDefinition[];
  readonly tool_choice?: unknown;
  readonly parallel_tool_calls: boolean;
  readonly response_format?: Omissible<FormatField>;
  readonly reasoning_effort?: unknown;
  readonly enable_thinking?: unknown;
  readonly think?: unknown;
  readonly thinking?: unknown;
  readonly chat_template_kwargs?: Omissible<Record<string, unknown>>;
  readonly svc_show_unmasking: boolean;
}

type Omissible<T> = T | null | undefined;

/** Every field of a chat request. */
export const chatFields: v.GenericSchema<unknown, ChatFields> = fields;
