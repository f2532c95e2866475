/**
 * Answers of chats as messages of Anthropic's API: whole, and as the events of a stream.
 *
 * @module
 */
import type { FinishedAnswer } from "../chat/chat_answer.ts";
import type { ChatResponseHead } from "../chat/chat_response.ts";
import type { WireMessage } from "../chat/chat_wire.ts";
import type { ErrorObject } from "../../errors/svc_error.ts";

/** What an answer is made from. */
export interface AnsweredChat {
  readonly answer: FinishedAnswer;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
}

/** A block of an answer. */
type AnswerBlock =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

/** The tokens of an answer. */
interface MessageUsage {
  /** Of the prompt, without those of the prefix cache. */
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly thinking_tokens: number };
}

/** An answer. */
export interface AnswerMessage {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly content: readonly AnswerBlock[];
  readonly stop_reason: "end_turn" | "max_tokens" | "stop_sequence" | "tool_use" | null;
  readonly stop_sequence: string | null;
  readonly usage: MessageUsage;
}

/** A whole answer. */
export function answerMessage(
  { idSuffix, model }: ChatResponseHead,
  reply: AnsweredChat,
  showThinking: boolean,
): AnswerMessage {
  const { message } = reply.answer;
  const thinking = showThinking ? message.reasoning_content ?? "" : "";
  return {
    id: `msg_${idSuffix}`,
    type: "message",
    role: "assistant",
    model,
    content: [
      ...thinking === "" ? [] : [{ type: "thinking", thinking, signature: "" } as const],
      ...message.content === "" ? [] : [{ type: "text", text: message.content } as const],
      ...toolUses(message).map(({ json, ...block }) => ({ ...block, input: JSON.parse(json) as unknown })),
    ],
    ...stopOf(reply.answer),
    usage: usageOf(reply),
  };
}

/**
 * The events of a streamed answer: {@linkcode start}, then reasoning and text, then those of {@linkcode end}.
 *
 * @example
 * ```ts
 * import { MessageStream } from "./messages_answer.ts";
 * const stream = new MessageStream({ idSuffix: "0a1b2c3d", created: 0, model: "m" }, false);
 * console.assert(stream.start(7).startsWith("event: message_start\n"));
 * console.assert(stream.text("Hello").includes('"text_delta"'));
 * ```
 */
export class MessageStream {
  readonly #head: ChatResponseHead;
  readonly #showThinking: boolean;
  #index = -1;
  #open: "thinking" | "text" | undefined;

  constructor(head: ChatResponseHead, showThinking: boolean) {
    this.#head = head;
    this.#showThinking = showThinking;
  }

  /** The first event: the message without content. */
  start(promptTokens: number): string {
    const { idSuffix, model } = this.#head;
    const message: AnswerMessage = {
      id: `msg_${idSuffix}`,
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usageOf({ promptTokens, cachedTokens: 0, completionTokens: 0, answer: {} }),
    };
    return eventFrame("message_start", { message });
  }

  /** Reasoning, if it is shown. */
  reasoning(thinking: string): string {
    if (!this.#showThinking) return "";
    const start = this.#begin("thinking", { type: "thinking", thinking: "", signature: "" });
    return start + this.#delta({ type: "thinking_delta", thinking });
  }

  /** Text of the answer. */
  text(text: string): string {
    return this.#begin("text", { type: "text", text: "" }) + this.#delta({ type: "text_delta", text });
  }

  /** The last events: pending reasoning and text, the calls, why the answer ended, the usage. */
  end(reply: AnsweredChat): string {
    const { rest, restReasoning = "", message } = reply.answer;
    const pending = (restReasoning === "" ? "" : this.reasoning(restReasoning)) + (rest === "" ? "" : this.text(rest));
    const calls = toolUses(message).map(({ json, ...block }) =>
      this.#stop() + this.#start({ ...block, input: {} }) +
      this.#delta({ type: "input_json_delta", partial_json: json }) +
      eventFrame("content_block_stop", { index: this.#index })
    );
    return pending + this.#stop() + calls.join("") +
      eventFrame("message_delta", { delta: stopOf(reply.answer), usage: usageOf(reply) }) +
      eventFrame("message_stop", {});
  }

  #begin(kind: "thinking" | "text", block: AnswerBlock): string {
    if (this.#open === kind) return "";
    const stop = this.#stop();
    this.#open = kind;
    return stop + this.#start(block);
  }

  #start(block: AnswerBlock): string {
    this.#index++;
    return eventFrame("content_block_start", { index: this.#index, content_block: block });
  }

  #delta(delta: unknown): string {
    return eventFrame("content_block_delta", { index: this.#index, delta });
  }

  #stop(): string {
    if (this.#open === undefined) return "";
    this.#open = undefined;
    return eventFrame("content_block_stop", { index: this.#index });
  }
}

/** Keeps the connection of an idle stream alive. */
export const PING_FRAME: string = eventFrame("ping", {});

/** An error of Anthropic's API. */
export interface MessagesError {
  readonly type: "error";
  readonly error: {
    readonly type: string;
    readonly message: string;
    /** What clients of Anthropic's tell errors of one type apart by. */
    readonly details?: { readonly error_code: string; readonly unsupported?: readonly string[] };
  };
  readonly request_id?: string;
}

/** An error in the shape of Anthropic's API. */
export function messagesError({ type, code, message, param }: ErrorObject): MessagesError {
  const isThread = code === "unsupported_parameter" && param === "thread";
  return {
    type: "error",
    error: {
      type: code === "body_too_large" ? "request_too_large" : ERROR_TYPES[type] ?? type,
      message,
      ...isThread && { details: NO_THREADS },
    },
  };
}

/** By this a client that keeps its conversation in a thread sends the whole of it. */
const NO_THREADS = { error_code: "thread_unsupported_request", unsupported: ["thread"] } as const;

/** The types that have another name there. */
const ERROR_TYPES: Readonly<Record<string, string>> = {
  conflict_error: "invalid_request_error",
  memory_pressure_error: "overloaded_error",
  model_unavailable_error: "api_error",
  server_error: "api_error",
};

/** One event of a stream. */
export function eventFrame(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function toolUses({ tool_calls: calls = [] }: Pick<WireMessage, "tool_calls">) {
  return calls.map(({ id, function: { name, arguments: json } }) => (
    { type: "tool_use", id: id.replace(/^call_/, "toolu_"), name, json } as const
  ));
}

function stopOf({ finishReason, stoppedBy }: FinishedAnswer): Pick<AnswerMessage, "stop_reason" | "stop_sequence"> {
  if (finishReason === "length") return { stop_reason: "max_tokens", stop_sequence: null };
  if (finishReason === "tool_calls") return { stop_reason: "tool_use", stop_sequence: null };
  return { stop_reason: stoppedBy === undefined ? "end_turn" : "stop_sequence", stop_sequence: stoppedBy ?? null };
}

function usageOf(
  { promptTokens, cachedTokens, completionTokens, answer }:
    & Omit<AnsweredChat, "answer">
    & { readonly answer: Pick<FinishedAnswer, "reasoningTokens"> },
): MessageUsage {
  return {
    input_tokens: promptTokens - cachedTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens: completionTokens,
    output_tokens_details: { thinking_tokens: answer.reasoningTokens ?? 0 },
  };
}
