/**
 * The body of a completion: a text in, its continuation out.
 *
 * @module
 */
import * as v from "valibot";
import type { FieldRefusal } from "../../errors/field_refusal.ts";
import { bodyRules, readFields } from "../../errors/read_fields.ts";
import { unsupportedParameter } from "../../errors/svc_error.ts";
import { listField } from "../../json/bounded_fields.ts";
import type { ChatRequest, RawPrompt } from "../chat/chat_request.ts";
import { given, Places, readDialectChat } from "../chat/dialect.ts";

/** Prompts of a request, and tokens of one. */
const MAX_PROMPTS = 128;
const MAX_TOKENS = 400_000;

/** Tokens of an answer where the request does not say, as OpenAI has it. */
const DEFAULT_TOKENS = 16;

const ACTION = "complete the prompt";

const any = v.optional(v.unknown());
const flag = v.nullish(v.boolean("expected true or false"), false);
const promptExpected = `expected a string, an array of tokens, or an array of 1 to ${MAX_PROMPTS} of them`;
const text = v.string(promptExpected);
const token = v.pipe(
  v.number(promptExpected),
  v.integer(promptExpected),
  v.minValue(0, promptExpected),
  v.maxValue(2 ** 31 - 1, promptExpected),
);
const tokens = listField(token, { min: 1, max: MAX_TOKENS, expected: promptExpected });
const several = listField(
  v.lazy((value): v.GenericSchema => Array.isArray(value) ? tokens : text),
  { min: 1, max: MAX_PROMPTS, expected: promptExpected },
);
const prompt = v.lazy((value): v.GenericSchema =>
  !Array.isArray(value) ? text : typeof value[0] === "number" ? tokens : several
);
const logprobsExpected = "expected an integer from 0 to 5";

/** The fields that mean the same as in a chat. */
const SAME = [
  "model",
  "max_tokens",
  "temperature",
  "top_p",
  "top_k",
  "min_p",
  "presence_penalty",
  "frequency_penalty",
  "repetition_penalty",
  "logit_bias",
  "stop",
  "seed",
  "stream",
  "stream_options",
  "user",
  "metadata",
] as const;

const same = Object.fromEntries(SAME.map((name) => [name, any])) as Record<typeof SAME[number], typeof any>;

const entries = {
  ...same,
  prompt,
  suffix: v.nullish(v.string("expected a string"), ""),
  echo: flag,
  logprobs: v.nullish(
    v.pipe(
      v.number(logprobsExpected),
      v.integer(logprobsExpected),
      v.minValue(0, logprobsExpected),
      v.maxValue(5, logprobsExpected),
    ),
  ),
} as const;

/** Every field of a completion. */
export const completionEntries: Readonly<Record<string, v.GenericSchema>> = entries;

const one = "expected 1: send one request per answer";
const sampling = "use temperature, top_p, top_k or min_p instead";

/** Fields of chats and of other servers that would change the answer. */
const refusals: readonly FieldRefusal[] = [
  { field: /^(n|best_of)$/, neutral: [1], remedy: one },
  { field: "messages", remedy: "use prompt instead, or /v1/chat/completions" },
  { field: /^(tools|tool_choice|functions|response_format)$/, neutral: [[]], remedy: "use /v1/chat/completions" },
  { field: /^(reasoning_effort|enable_thinking|think|thinking|reasoning)$/, remedy: "use /v1/chat/completions" },
  {
    field: /^(guided_\w+|grammar|grammar_\w+|structured_outputs|json_schema|format)$/,
    remedy: "use /v1/chat/completions",
  },
  { field: /^(typical_p|tfs_z|top_n_sigma|top_a)$/, neutral: [1, 0, -1], remedy: sampling },
  { field: /^(mirostat|dynatemp|xtc|dry)(_\w+)?$/, neutral: [0], remedy: sampling },
  { field: /^(repeat_penalty|no_repeat_ngram_size)$/, neutral: [1, 0], remedy: "use repetition_penalty instead" },
  { field: /^(n_predict|max_completion_tokens)$/, remedy: "use max_tokens instead" },
  { field: /^(ignore_eos|prompt_logprobs|use_beam_search)$/, neutral: [false], remedy: "expected no such field" },
  { field: /^(truncate_prompt_tokens|truncation)$/, remedy: "prompts are never truncated" },
];

const rules = bodyRules(ACTION, entries, refusals);

/** A completion request. */
export interface CompletionRequest {
  /** One for each prompt. */
  readonly requests: readonly ChatRequest[];
  readonly places: Places;
  /** Whether each answer begins with its prompt. */
  readonly echo: boolean;
  readonly warnings: readonly string[];
}

/**
 * Reads a completion request.
 *
 * @throws {SvcError} as for chats, with the paths of this request.
 */
export function readCompletionRequest(body: unknown): CompletionRequest {
  const { fields, warnings } = readFields(body, rules);
  const { logprobs, echo, suffix } = fields;
  const places = new Places();
  places.set("messages", "prompt");
  places.set("top_logprobs", "logprobs");
  const prompts = rawPrompts(fields.prompt);
  if (suffix !== "" && prompts.some((prompt) => "tokens" in prompt)) {
    const message = `Cannot ${ACTION}: "suffix" is given, expected a text as prompt with it, tokens have none`;
    throw unsupportedParameter(message, "suffix");
  }
  if (echo && typeof logprobs === "number") {
    const message =
      `Cannot ${ACTION}: "echo" is true, expected false with logprobs: those of a prompt are not computed`;
    throw unsupportedParameter(message, "echo");
  }
  const wanted = typeof logprobs === "number" ? { logprobs: true, top_logprobs: logprobs } : {};
  const { request } = readDialectChat(
    {
      ...given({ max_tokens: DEFAULT_TOKENS, ...given(Object.fromEntries(SAME.map((name) => [name, fields[name]]))) }),
      ...wanted,
      messages: [{ role: "user", content: "x" }],
    },
    places,
    [],
  );
  const requests = prompts.map((prompt): ChatRequest => {
    const rawPrompt = "text" in prompt && suffix !== "" ? { ...prompt, suffix } : prompt;
    return { ...request, messages: [], rawPrompt };
  });
  return { requests, places, echo, warnings };
}

function rawPrompts(prompt: unknown): RawPrompt[] {
  if (typeof prompt === "string") return [{ text: prompt }];
  const list = prompt as readonly (string | number | readonly number[])[];
  if (typeof list[0] === "number") return [{ tokens: list as readonly number[] }];
  return list.map((one): RawPrompt => typeof one === "string" ? { text: one } : { tokens: one as readonly number[] });
}
