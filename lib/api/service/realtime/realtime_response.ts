/**
 * One response of a realtime session: a chat, as text or spoken, as events.
 *
 * @module
 */
import {
  type AnswerConfig,
  type RealtimeItem,
  type RealtimePart,
  realtimeResponse,
  type RealtimeVersion,
  type ResponseEnd,
  type ServerEvent,
  wireItem,
  type WireToolCall,
} from "../../../protocol/mod.ts";
import type { ErrorObject } from "../../../errors/svc_error.ts";
import type { ChatReply, PreparedChat } from "../chat_service.ts";
import type { PreparedSpeech } from "../audio/speech_service.ts";
import type { SpokenSentence } from "./conversation.ts";
import { SpokenAnswer } from "./spoken_answer.ts";

/** Why a response was cancelled. */
export type CancelReason = "turn_detected" | "client_cancelled";

/** Options of a {@linkcode RealtimeResponse}. */
export interface RealtimeResponseOptions {
  /** Letters and digits after `resp_` in its id and in those of its items. */
  readonly key: string;
  /** The id of the conversation; null where the answer does not become a part of it. */
  readonly conversation: string | null;
  readonly metadata: unknown;
  readonly config: AnswerConfig;
  readonly version: RealtimeVersion;
  readonly send: (event: ServerEvent) => void;
  /** Resolves when the client has taken what was sent; rejects where it does not. */
  readonly drained: (signal: AbortSignal) => Promise<void>;
  readonly speech: (body: unknown) => Promise<PreparedSpeech>;
  /** Adds an item to the conversation; returns the id of the one before it. */
  readonly add: (item: RealtimeItem, spoken: readonly SpokenSentence[]) => string | null;
  readonly replace: (item: RealtimeItem) => void;
  /** The error object of what a chat or a voice has failed with. */
  readonly explain: (error: unknown) => ErrorObject;
}

/** A message that grows. */
interface OpenMessage {
  readonly id: string;
  readonly index: number;
  readonly before: string | null;
  text: string;
}

/** Runs one response. */
export class RealtimeResponse {
  readonly #options: RealtimeResponseOptions;
  readonly #abort = new AbortController();
  readonly #output: RealtimeItem[] = [];
  readonly #voice: SpokenAnswer | undefined;
  #message: OpenMessage | undefined;
  #cancelled: CancelReason | undefined;
  #begun = false;

  constructor(options: RealtimeResponseOptions) {
    this.#options = options;
    const { config, speech } = options;
    if (!config.spoken) return;
    this.#voice = new SpokenAnswer({ output: config.output, speech, signal: this.#abort.signal }, {
      onSentence: (text) => this.#say(text),
      onSound: async (delta) => {
        this.#event("response.output_audio.delta", { ...this.#place(), delta });
        await options.drained(this.#abort.signal);
      },
      onFailure: (error) => this.#abort.abort(error),
    });
  }

  get id(): string {
    return `resp_${this.#options.key}`;
  }

  /** Aborts when it is cancelled. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Milliseconds of sound that were sent. */
  get milliseconds(): number {
    return this.#voice?.milliseconds ?? 0;
  }

  /** Cancels it. */
  cancel(reason: CancelReason): void {
    this.#cancelled ??= reason;
    this.#abort.abort(new DOMException("The response was cancelled", "AbortError"));
  }

  /** Sends its first event. */
  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#event("response.created", { response: this.#object({ status: "in_progress" }) });
  }

  /** Answers a chat; all that goes wrong is in its last event. */
  async run(chat: PreparedChat): Promise<void> {
    this.begin();
    try {
      const reply = await chat.run({ onText: (text) => this.#text(text), onDraft: () => {} }, this.signal);
      this.#text(reply.answer.rest);
      await this.#voice?.finish();
      this.signal.throwIfAborted();
      this.#finish(reply);
    } catch (error) {
      this.#abort.abort(error);
      await this.#voice?.settled();
      this.fail(error);
    }
  }

  /** Ends it without an answer: cancelled, or failed. */
  fail(error: unknown): void {
    this.begin();
    this.#close("incomplete");
    const end: ResponseEnd = this.#cancelled === undefined
      ? { status: "failed", error: this.#options.explain(error) }
      : { status: "cancelled", reason: this.#cancelled };
    this.#event("response.done", { response: this.#object(end) });
  }

  #finish(reply: ChatReply): void {
    const isCut = reply.answer.finishReason === "length";
    this.#close(isCut ? "incomplete" : "completed");
    for (const call of reply.answer.message.tool_calls ?? []) this.#call(call);
    const end: ResponseEnd = isCut ? { status: "incomplete", reason: "max_output_tokens" } : { status: "completed" };
    this.#event("response.done", { response: this.#object(end, reply) });
  }

  #text(text: string): void {
    if (text === "" || this.signal.aborted) return;
    if (this.#voice) return this.#voice.push(text);
    this.#open();
    this.#message!.text += text;
    this.#event("response.output_text.delta", { ...this.#place(), delta: text });
  }

  #say(text: string): void {
    this.#open();
    this.#message!.text += text;
    this.#event("response.output_audio_transcript.delta", { ...this.#place(), delta: text });
  }

  #open(): void {
    if (this.#message !== undefined) return;
    const index = this.#output.length;
    const id = `item_${this.#options.key}${index}`;
    const item: RealtimeItem = { id, type: "message", role: "assistant", status: "in_progress", content: [] };
    const before = this.#added(item, index);
    this.#message = { id: item.id, index, before, text: "" };
    const part = this.#voice ? { type: "audio", transcript: "" } : { type: "text", text: "" };
    this.#event("response.content_part.added", { ...this.#place(), part });
  }

  #close(status: "completed" | "incomplete"): void {
    const open = this.#message;
    if (open === undefined) return;
    const { id, text, index, before } = open;
    const spoken = this.#voice !== undefined;
    if (spoken) {
      this.#event("response.output_audio.done", this.#place());
      this.#event("response.output_audio_transcript.done", { ...this.#place(), transcript: text });
    } else this.#event("response.output_text.done", { ...this.#place(), text });
    const part = spoken ? { type: "audio", transcript: text } : { type: "text", text };
    this.#event("response.content_part.done", { ...this.#place(), part });
    const content: readonly RealtimePart[] = [
      spoken ? { kind: "audio", transcript: text } : { kind: "text", text },
    ];
    this.#message = undefined;
    this.#done({ id, type: "message", role: "assistant", status, content }, index, before);
  }

  #call({ id: call_id, function: { name, arguments: json } }: WireToolCall): void {
    const type = "function_call";
    const index = this.#output.length;
    const id = `item_${this.#options.key}${index}`;
    const before = this.#added({ id, type, call_id, name, arguments: "", status: "in_progress" }, index);
    const place = { response_id: this.id, item_id: id, output_index: index, call_id };
    this.#event("response.function_call_arguments.delta", { ...place, delta: json });
    this.#event("response.function_call_arguments.done", { ...place, name, arguments: json });
    this.#done({ id, type, call_id, name, arguments: json, status: "completed" }, index, before);
  }

  #added(item: RealtimeItem, index: number): string | null {
    const wire = wireItem(item, this.#options.version);
    this.#event("response.output_item.added", { response_id: this.id, output_index: index, item: wire });
    if (this.#options.conversation === null) return null;
    const before = this.#options.add(item, this.#voice?.spoken ?? []);
    this.#event("conversation.item.added", { previous_item_id: before, item: wire });
    return before;
  }

  #done(item: RealtimeItem, index: number, before: string | null): void {
    const wire = wireItem(item, this.#options.version);
    this.#output.push(item);
    if (this.#options.conversation !== null) {
      this.#options.replace(item);
      this.#event("conversation.item.done", { previous_item_id: before, item: wire });
    }
    this.#event("response.output_item.done", { response_id: this.id, output_index: index, item: wire });
  }

  #place(): Readonly<Record<string, unknown>> {
    const { id, index } = this.#message!;
    return { response_id: this.id, item_id: id, output_index: index, content_index: 0 };
  }

  #object(end: ResponseEnd, tokens?: ChatReply): unknown {
    const { conversation, metadata, config, version } = this.#options;
    const head = { id: this.id, conversation, metadata };
    const output = this.#output.map((item) => wireItem(item, version));
    return realtimeResponse(head, config, output, { end, tokens, version });
  }

  #event(type: string, members: Readonly<Record<string, unknown>>): void {
    this.#options.send({ type, ...members });
  }
}
