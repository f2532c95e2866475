/**
 * Answers of chats as responses of OpenAI's API.
 *
 * @module
 */
import type { FinishedAnswer } from "../chat/chat_answer.ts";
import type { WireLogprobs, WireTokenLogprob, WireToolCall } from "../chat/chat_wire.ts";
import type { ErrorObject } from "../../errors/svc_error.ts";
import { namespacesOf, type ResponsesFields } from "./read_responses_request.ts";

/** What a response is made from besides its answer. */
export interface ResponseHead {
  /** Unique letters and digits, after `resp_` in its id and in those of its items. */
  readonly key: string;
  /** Unix time in seconds. */
  readonly created: number;
  /** Id of the answering model. */
  readonly model: string;
  readonly fields: ResponsesFields;
}

/** An answered chat. */
export interface AnsweredResponse {
  readonly answer: FinishedAnswer;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly logprobs?: WireLogprobs;
}

type Status = "in_progress" | "completed" | "incomplete";

/** The log probability of a token. */
type PlainLogprob = Pick<WireTokenLogprob, "token" | "bytes" | "logprob">;

/** A token of an answer. */
interface ResponseLogprob extends PlainLogprob {
  readonly top_logprobs: readonly PlainLogprob[];
}

/** A text of an answer. */
export interface OutputText {
  readonly type: "output_text";
  readonly text: string;
  readonly annotations: readonly [];
  readonly logprobs: readonly ResponseLogprob[];
}

/** A text of reasoning. */
export interface ReasoningText {
  readonly type: "reasoning_text";
  readonly text: string;
}

/** An item of an answer. */
export type OutputItem =
  | {
    readonly id: string;
    readonly type: "reasoning";
    readonly summary: readonly [];
    readonly content: readonly ReasoningText[];
    readonly status: Status;
  }
  | {
    readonly id: string;
    readonly type: "message";
    readonly role: "assistant";
    readonly status: Status;
    readonly content: readonly OutputText[];
  }
  | {
    readonly id: string;
    readonly type: "function_call";
    readonly call_id: string;
    readonly name: string;
    /** The group of the function. */
    readonly namespace?: string;
    readonly arguments: string;
    readonly status: Status;
  };

/** A response, which repeats what it was asked with. */
export interface ResponseObject {
  readonly id: string;
  readonly object: "response";
  readonly status: Status | "failed";
  readonly store: boolean;
  readonly output: readonly OutputItem[];
  readonly [member: string]: unknown;
}

/** An item of reasoning. */
export function reasoningItem(key: string, index: number, text: string, status: Status): OutputItem {
  const content = text === "" ? [] : [{ type: "reasoning_text", text } as const];
  return { id: `rs_${key}${index}`, type: "reasoning", summary: [], content, status };
}

/** An item with the text of an answer. */
export function messageItem(key: string, index: number, content: readonly OutputText[], status: Status): OutputItem {
  return { id: `msg_${key}${index}`, type: "message", role: "assistant", status, content };
}

/** A call of a function. */
export function callItem({ key, fields }: ResponseHead, index: number, call: WireToolCall, status: Status): OutputItem {
  const { id, function: { name, arguments: json } } = call;
  const namespace = namespacesOf(fields).get(name);
  const group = namespace === undefined ? {} : { namespace };
  return { id: `fc_${key}${index}`, type: "function_call", call_id: id, name, ...group, arguments: json, status };
}

/** A text with its tokens. */
export function outputText(text: string, logprobs?: WireLogprobs): OutputText {
  const tokens = (logprobs?.content ?? []).map(({ top_logprobs: top, ...token }): ResponseLogprob => ({
    ...plainLogprob(token),
    top_logprobs: top.map(plainLogprob),
  }));
  return { type: "output_text", text, annotations: [], logprobs: tokens };
}

function plainLogprob({ token, bytes, logprob }: PlainLogprob): PlainLogprob {
  return { token, bytes, logprob };
}

/** Whether an answer ended before its end. */
export function statusOf({ finishReason }: FinishedAnswer): "completed" | "incomplete" {
  return finishReason === "length" ? "incomplete" : "completed";
}

/** The items of a whole answer. */
export function outputItems(head: ResponseHead, { answer, logprobs }: AnsweredResponse): OutputItem[] {
  const { key } = head;
  const { message: { content, reasoning_content: reasoning, tool_calls: calls = [] } } = answer;
  const items: OutputItem[] = [];
  const status = statusOf(answer);
  if (reasoning !== undefined) {
    const isLast = content === "" && calls.length === 0;
    items.push(reasoningItem(key, items.length, reasoning, isLast ? status : "completed"));
  }
  if (content !== "") items.push(messageItem(key, items.length, [outputText(content, logprobs)], status));
  for (const call of calls) items.push(callItem(head, items.length, call, "completed"));
  return items;
}

/** A response in progress, or with its answer. */
export function responseObject(
  head: ResponseHead,
  output: readonly OutputItem[],
  { store, reply, error }: {
    readonly store: boolean;
    readonly reply?: AnsweredResponse;
    readonly error?: ErrorObject;
  },
): ResponseObject {
  const { key, created, model, fields } = head;
  const status = error !== undefined ? "failed" : reply === undefined ? "in_progress" : statusOf(reply.answer);
  return {
    id: `resp_${key}`,
    object: "response",
    created_at: created,
    status,
    background: false,
    error: error === undefined ? null : { code: error.code, message: error.message },
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: fields.instructions ?? null,
    max_output_tokens: fields.max_output_tokens ?? null,
    model,
    output,
    parallel_tool_calls: fields.parallel_tool_calls ?? true,
    previous_response_id: fields.previous_response_id ?? null,
    reasoning: { effort: fields.reasoning?.effort ?? null, summary: null },
    store,
    temperature: fields.temperature ?? null,
    text: { format: fields.text?.format ?? { type: "text" } },
    tool_choice: fields.tool_choice ?? "auto",
    tools: (fields.tools ?? []).map((tool) =>
      tool.type === "function" ? { ...tool, strict: tool.strict ?? false } : tool
    ),
    top_logprobs: fields.top_logprobs ?? 0,
    top_p: fields.top_p ?? null,
    truncation: "disabled",
    usage: reply === undefined ? null : usageOf(reply),
    metadata: fields.metadata ?? {},
  };
}

function usageOf({ promptTokens, cachedTokens, completionTokens, answer }: AnsweredResponse): unknown {
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens, cache_write_tokens: 0 },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: answer.reasoningTokens ?? 0 },
    total_tokens: promptTokens + completionTokens,
  };
}
