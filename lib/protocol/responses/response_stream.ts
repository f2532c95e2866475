/**
 * Answers of chats as the typed events of OpenAI's Responses.
 *
 * @module
 */
import type { ErrorObject } from "../../errors/svc_error.ts";
import {
  type AnsweredResponse,
  callItem,
  messageItem,
  type OutputItem,
  outputText,
  reasoningItem,
  type ResponseHead,
  type ResponseObject,
  responseObject,
  statusOf,
} from "./responses_answer.ts";

/** Options of a {@linkcode ResponseStream}. */
interface ResponseStreamOptions {
  /** Whether the response is to be kept. */
  readonly store: boolean;
  /** Takes the finished response; returns it as it is kept. */
  readonly onEnd: (response: ResponseObject) => ResponseObject;
}

/** An item that grows. */
interface OpenItem {
  readonly kind: "reasoning" | "message";
  readonly id: string;
  text: string;
}

/**
 * The events of a streamed response: {@linkcode start}, then reasoning and text, then those of {@linkcode end} or
 * {@linkcode failed}. Each has the next sequence number.
 */
export class ResponseStream {
  readonly #head: ResponseHead;
  readonly #options: ResponseStreamOptions;
  readonly #output: OutputItem[] = [];
  #number = 0;
  #open: OpenItem | undefined;

  constructor(head: ResponseHead, options: ResponseStreamOptions) {
    this.#head = head;
    this.#options = options;
  }

  /** The first events. */
  start(): string {
    const response = responseObject(this.#head, [], { store: this.#options.store });
    return this.#event("response.created", { response }) + this.#event("response.in_progress", { response });
  }

  /** Reasoning. */
  reasoning(delta: string): string {
    const began = this.#begin("reasoning");
    this.#open!.text += delta;
    return began + this.#event("response.reasoning_text.delta", { ...this.#place(), delta });
  }

  /** Text of the answer. */
  text(delta: string): string {
    const began = this.#begin("message");
    this.#open!.text += delta;
    return began + this.#event("response.output_text.delta", { ...this.#place(), delta, logprobs: [] });
  }

  /** The last events: pending reasoning and text, the calls, the whole response. */
  end(reply: AnsweredResponse): string {
    const { rest, restReasoning = "", message } = reply.answer;
    const status = statusOf(reply.answer);
    const pending = (restReasoning === "" ? "" : this.reasoning(restReasoning)) + (rest === "" ? "" : this.text(rest));
    const events = pending + this.#close(status) + (message.tool_calls ?? []).map((call) => this.#call(call)).join("");
    const whole = responseObject(this.#head, this.#output, { store: this.#options.store, reply });
    return events + this.#event(`response.${status}`, { response: this.#options.onEnd(whole) });
  }

  /** The last events of a stream that fails. */
  failed(error: ErrorObject): string {
    const { code, message, param = null } = error;
    const response = responseObject(this.#head, this.#output, { store: false, error });
    return this.#event("error", { code, message, param }) + this.#event("response.failed", { response });
  }

  #begin(kind: OpenItem["kind"]): string {
    if (this.#open?.kind === kind) return "";
    const closed = this.#close("completed");
    const { key } = this.#head;
    const index = this.#output.length;
    const item = kind === "reasoning"
      ? reasoningItem(key, index, "", "in_progress")
      : messageItem(key, index, [], "in_progress");
    this.#open = { kind, id: item.id, text: "" };
    return closed + this.#event("response.output_item.added", { output_index: index, item }) +
      this.#event("response.content_part.added", { ...this.#place(), part: this.#part() });
  }

  #close(status: "completed" | "incomplete"): string {
    const open = this.#open;
    if (open === undefined) return "";
    const { key } = this.#head;
    const index = this.#output.length;
    const item = open.kind === "reasoning"
      ? reasoningItem(key, index, open.text, status)
      : messageItem(key, index, [outputText(open.text)], status);
    const done = open.kind === "reasoning"
      ? this.#event("response.reasoning_text.done", { ...this.#place(), text: open.text })
      : this.#event("response.output_text.done", { ...this.#place(), text: open.text, logprobs: [] });
    const part = this.#event("response.content_part.done", { ...this.#place(), part: this.#part() });
    this.#open = undefined;
    this.#output.push(item);
    return done + part + this.#event("response.output_item.done", { output_index: index, item });
  }

  #call(call: Parameters<typeof callItem>[2]): string {
    const output_index = this.#output.length;
    const { name, arguments: json } = call.function;
    const empty = { ...call, function: { name, arguments: "" } };
    const item = callItem(this.#head, output_index, call, "completed");
    const place = { item_id: item.id, output_index };
    this.#output.push(item);
    return this.#event("response.output_item.added", {
      output_index,
      item: callItem(this.#head, output_index, empty, "in_progress"),
    }) +
      this.#event("response.function_call_arguments.delta", { ...place, delta: json }) +
      this.#event("response.function_call_arguments.done", { ...place, name, arguments: json }) +
      this.#event("response.output_item.done", { output_index, item });
  }

  #place(): { readonly item_id: string; readonly output_index: number; readonly content_index: 0 } {
    return { item_id: this.#open!.id, output_index: this.#output.length, content_index: 0 };
  }

  #part(): unknown {
    const { kind, text } = this.#open!;
    return kind === "reasoning" ? { type: "reasoning_text", text } : outputText(text);
  }

  #event(type: string, data: object): string {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.#number++, ...data })}\n\n`;
  }
}
