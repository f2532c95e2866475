/**
 * The body of a chat request.
 *
 * @module
 */
import * as v from "valibot";
import { describeIssue, MAX_FIELDS } from "../../errors/field_refusal.ts";
import { show } from "../../errors/show.ts";
import { invalidField, invalidIssue, invalidRequest, unsupportedParameter } from "../../errors/svc_error.ts";
import { type ChatFields, chatFields } from "./chat_fields.ts";
import type { ChatRequest, ReasoningChoice, ResponseFormat } from "./chat_request.ts";
import { readFormat } from "./format_field.ts";
import { ignoredFields, refuseFields } from "./other_fields.ts";
import { readReasoningChoice } from "../reasoning/reasoning_choice.ts";
import { DEEPEST_VALUE, isTooDeep } from "../../json/bounded_fields.ts";
import { foreignArguments } from "./message_fields.ts";
import { chooseTools } from "./tool_fields.ts";
import { keepPartTexts } from "../../json/json_sources.ts";
import { isObject } from "../../json/json_text.ts";

const ACTION = "complete the chat";

/** Template variables reserved for the server. */
const reserved = [
  "messages",
  "tools",
  "add_generation_prompt",
  "bos_token",
  "eos_token",
  "raise_exception",
  "range",
  "namespace",
  "strftime_now",
];

/**
 * Validates the parsed JSON body of a chat request with every rule that needs no model; {@linkcode checkCapabilities}
 * checks the rest.
 *
 * @throws {SvcError} `invalid_request_error` with the field in `param`: `invalid_json`, `missing_field`, `wrong_type`,
 * `invalid_<field>` or `unsupported_parameter`.
 *
 * @example
 * ```ts
 * import { readChatRequest } from "./read_chat_request.ts";
 * const request = readChatRequest({ model: "", messages: [{ role: "user", content: "Hello" }], stop: "\n" });
 * console.assert(request.stop[0] === "\n" && request.sampling.temperature === undefined);
 * ```
 */
export function readChatRequest(body: unknown): ChatRequest {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalidRequest("invalid_json", `Cannot ${ACTION}: the body is ${show(body)}, expected a JSON object`);
  }
  const given = body as Readonly<Record<string, unknown>>;
  if (Object.keys(given).length > MAX_FIELDS) {
    throw invalidRequest(
      "invalid_json",
      `Cannot ${ACTION}: the body has more than ${MAX_FIELDS} fields, expected fewer`,
    );
  }
  const deep = Object.keys(given).find((name) => isTooDeep(given[name]));
  if (deep !== undefined) {
    const message = `Cannot ${ACTION}: "${deep}" has more than ${DEEPEST_VALUE} levels, expected fewer`;
    throw invalidField(deep, message);
  }
  keepJsonParts(given);
  refuseFields(given);
  const result = v.safeParse(chatFields, given);
  if (!result.success) {
    throw invalidIssue(describeIssue(ACTION, given, result.issues));
  }
  const fields = result.output;
  const { enable_thinking, ...templateArguments } = fields.chat_template_kwargs ?? {};
  const taken = Object.keys(templateArguments).find((name) => reserved.includes(name));
  if (taken !== undefined) {
    const message = `Cannot ${ACTION}: "chat_template_kwargs" has ${show(taken)}, expected a name that is not reserved`;
    throw unsupportedParameter(message, `chat_template_kwargs.${taken}`);
  }
  const responseFormat = readFormat(fields.response_format);
  const reasoning = readReasoningChoice({ ...pickReasoning(fields), template_enable_thinking: enable_thinking });
  const { tools, choice } = chooseTools(fields.tools, fields.tool_choice);
  return {
    model: fields.model,
    messages: fields.messages,
    sampling: {
      temperature: fields.temperature ?? undefined,
      topP: fields.top_p ?? undefined,
      topK: fields.top_k ?? undefined,
      minP: fields.min_p ?? undefined,
      presencePenalty: fields.presence_penalty ?? undefined,
      frequencyPenalty: fields.frequency_penalty ?? undefined,
      repetitionPenalty: fields.repetition_penalty ?? undefined,
      logitBias: fields.logit_bias ?? new Map(),
    },
    maxTokens: readMaxTokens(fields),
    maxTokensField: typeof fields.max_completion_tokens === "number" ? "max_completion_tokens" : "max_tokens",
    stop: (typeof fields.stop === "string" ? [fields.stop] : fields.stop ?? []).filter((text) => text !== ""),
    seed: fields.seed ?? undefined,
    stream: fields.stream,
    includeUsage: fields.stream_options?.include_usage ?? false,
    includeReasoning: fields.stream && (fields.stream_options?.include_reasoning ?? false),
    topLogprobs: readTopLogprobs(fields, responseFormat),
    tools,
    toolChoice: choice,
    parallelToolCalls: fields.parallel_tool_calls,
    responseFormat,
    reasoning: constrainedReasoning(reasoning, responseFormat),
    templateArguments,
    showUnmasking: readShowUnmasking(fields),
    warnings: [...ignoredFields(given), ...foreignArguments(fields.messages)],
  };
}

/** Keeps the texts of schemas and arguments, which the model reads as they were written. */
function keepJsonParts(body: Readonly<Record<string, unknown>>): void {
  const parts: [string, unknown][] = [];
  const part = (pointer: string, holder: unknown, name: string): void => {
    if (isObject(holder) && typeof holder[name] === "object") parts.push([`${pointer}/${name}`, holder[name]]);
  };
  for (const [i, tool] of items(body.tools)) {
    if (isObject(tool)) part(`/tools/${i}/function`, tool.function, "parameters");
  }
  for (const [i, message] of items(body.messages)) {
    for (const [j, call] of items(isObject(message) ? message.tool_calls : undefined)) {
      if (isObject(call)) part(`/messages/${i}/tool_calls/${j}/function`, call.function, "arguments");
    }
  }
  keepPartTexts(body, parts);
}

function items(value: unknown): (readonly [number, unknown])[] {
  return Array.isArray(value) ? [...value.entries()] : [];
}

type PickedReasoning = Pick<ChatFields, "reasoning_effort" | "enable_thinking" | "think" | "thinking">;

function pickReasoning({ reasoning_effort, enable_thinking, think, thinking }: ChatFields): Required<PickedReasoning> {
  return { reasoning_effort, enable_thinking, think, thinking };
}

/** A constrained answer has no place for reasoning. */
function constrainedReasoning(reasoning: ReasoningChoice, format: ResponseFormat): ReasoningChoice {
  return format.type === "text" ? reasoning : { enabled: false, effort: undefined, param: "response_format" };
}

function readMaxTokens({ max_tokens: old, max_completion_tokens: given }: ChatFields): number | undefined {
  if (typeof old === "number" && typeof given === "number" && old !== given) {
    const message = `Cannot ${ACTION}: "max_completion_tokens" is ${given}, expected ${old} as in "max_tokens"`;
    throw invalidField("max_completion_tokens", message);
  }
  return given ?? old ?? undefined;
}

function readTopLogprobs(fields: ChatFields, format: ResponseFormat): number | undefined {
  const { logprobs, top_logprobs: top } = fields;
  if (!logprobs) {
    if (typeof top !== "number") return undefined;
    const message = `Cannot ${ACTION}: "top_logprobs" is ${top}, expected "logprobs" to be true with it`;
    throw invalidField("top_logprobs", message);
  }
  const other = fields.stream ? '"stream" to be false' : format.type !== "text" ? "text as response_format" : undefined;
  if (other !== undefined) {
    throw invalidField("logprobs", `Cannot ${ACTION}: "logprobs" is true, expected ${other} with it`);
  }
  return top ?? 0;
}

function readShowUnmasking({ svc_show_unmasking: show, stream }: ChatFields): boolean {
  if (!show || stream) return show;
  const message = `Cannot ${ACTION}: "svc_show_unmasking" is true, expected "stream" to be true with it`;
  throw invalidField("svc_show_unmasking", message);
}
