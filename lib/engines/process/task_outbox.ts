/**
 * Outgoing events of a running task.
 *
 * @module
 */
import type { WireDraft } from "../../protocol/mod.ts";
import type { ChatListener } from "../contract/chat_engine.ts";
import type { EnginePort, EngineReply } from "./engine_messages.ts";
import type { EngineCounters } from "../contract/language_model.ts";

/** Counters are sent with the first text after so many tokens. */
const TOKENS_BETWEEN_COUNTERS = 32;

/**
 * Sends the events of a chat. One message is in flight at a time: later events are merged, so that a server slower than
 * its engine gets longer texts and no backlog; of drafts and prefill progress only the last one is kept.
 */
export class TaskOutbox implements ChatListener {
  readonly #port: EnginePort<EngineReply, unknown>;
  readonly #id: number;
  readonly #counters: () => EngineCounters | undefined;
  #prefill: { readonly done: number; readonly total: number } | undefined;
  #draft: WireDraft | undefined;
  #text = "";
  #reasoning = "";
  #tokens = 0;
  #tokensSinceCounters = 0;
  #sending: Promise<void> | undefined;

  constructor(port: EnginePort<EngineReply, unknown>, id: number, counters: () => EngineCounters | undefined) {
    this.#port = port;
    this.#id = id;
    this.#counters = counters;
  }

  readonly onPreparing = async (): Promise<void> => {
    await this.#port.send({ kind: "preparing", id: this.#id });
  };

  readonly onPrefill = (done: number, total: number): void => {
    this.#prefill = { done, total };
    this.#wake();
  };

  readonly onReasoning = (text: string): void => {
    this.#reasoning += text;
    this.#wake();
  };

  readonly onText = (text: string): void => {
    this.#text += text;
    this.#wake();
  };

  readonly onDraft = (draft: WireDraft): void => {
    this.#draft = draft;
    this.#wake();
  };

  readonly onTokens = (count: number): void => {
    this.#tokens += count;
    this.#wake();
  };

  /** Resolves when everything has been sent. */
  async drain(): Promise<void> {
    await this.#sending;
  }

  #wake(): void {
    this.#sending ??= this.#send().finally(() => this.#sending = undefined);
  }

  async #send(): Promise<void> {
    await Promise.resolve(); // text and count of a token arrive one after the other
    for (let reply = this.#next(); reply !== undefined; reply = this.#next()) await this.#port.send(reply);
  }

  #next(): EngineReply | undefined {
    const id = this.#id;
    if (this.#prefill !== undefined) {
      const reply: EngineReply = { kind: "prefill", id, ...this.#prefill };
      this.#prefill = undefined;
      return reply;
    }
    if (this.#draft !== undefined) {
      const reply: EngineReply = { kind: "draft", id, draft: this.#draft };
      this.#draft = undefined;
      return reply;
    }
    if (this.#tokens === 0 && this.#text === "" && this.#reasoning === "") return undefined;
    const reply: EngineReply = {
      kind: "text",
      id,
      text: this.#text,
      ...this.#reasoning === "" ? {} : { reasoning: this.#reasoning },
      tokens: this.#tokens,
      ...this.#dueCounters(),
    };
    this.#text = this.#reasoning = "";
    this.#tokens = 0;
    return reply;
  }

  #dueCounters(): { readonly counters?: EngineCounters } {
    this.#tokensSinceCounters += this.#tokens;
    if (this.#tokensSinceCounters < TOKENS_BETWEEN_COUNTERS) return {};
    this.#tokensSinceCounters = 0;
    const counters = this.#counters();
    return counters === undefined ? {} : { counters };
  }
}
