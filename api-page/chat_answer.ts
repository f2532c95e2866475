/**
 * An answer of a chat as its chunks come in.
 *
 * @module
 */
import type { ChatChunk, WireToolCall } from "../lib/protocol/chat/chat_wire.ts";

/** Seconds below which a speed says more about the network than about the model. */
const MEASURABLE = 0.1;

/** Collects an answer. */
export class ChatAnswer {
  text = "";
  reasoning = "";
  readonly calls: WireToolCall[] = [];
  finish: string | undefined;
  #begun: number;
  #first: number | undefined;
  #last = 0;
  #tokens = 0;

  /** @param now Milliseconds at the request. */
  constructor(now: number) {
    this.#begun = now;
  }

  /** @param now Milliseconds at which the chunk has come. */
  add({ choices: [choice], usage }: ChatChunk, now: number): void {
    if (usage) this.#tokens = usage.completion_tokens;
    if (choice === undefined) return;
    const { content = "", reasoning_content = "", tool_calls = [] } = choice.delta;
    this.text += content;
    this.reasoning += reasoning_content;
    for (const { index: _, ...call } of tool_calls) this.calls.push(call);
    this.finish = choice.finish_reason ?? this.finish;
    if (content === "" && reasoning_content === "" && tool_calls.length === 0) return;
    this.#first ??= now;
    this.#last = now;
  }

  /** The message as the next request has it. */
  message(): object {
    const calls = this.calls.length > 0 ? { tool_calls: this.calls } : {};
    return { role: "assistant", content: this.text === "" && this.calls.length > 0 ? null : this.text, ...calls };
  }

  /** Tokens, speed and waiting time in words; empty before the first token. */
  facts(): string {
    if (this.#first === undefined) return "";
    const seconds = (this.#last - this.#first) / 1000;
    return [
      ...this.#tokens > 0 ? [`${this.#tokens} ${this.#tokens === 1 ? "token" : "tokens"}`] : [],
      ...this.#tokens > 1 && seconds >= MEASURABLE ? [`${((this.#tokens - 1) / seconds).toFixed(1)} tokens/s`] : [],
      `first after ${((this.#first - this.#begun) / 1000).toFixed(2)} s`,
      ...this.finish === "length" ? ["ended at the token limit"] : [],
    ].join(" · ");
  }
}
