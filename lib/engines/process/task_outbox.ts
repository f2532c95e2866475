/**
 * Outgoing events of running tasks.
 *
 * @module
 */
import type { WireDraft } from "../../protocol/mod.ts";
import type { ServedCall } from "../../platform/rpc/serve_calls.ts";
import type { ChatListener } from "../contract/chat_engine.ts";
import type { EngineCounters } from "../contract/language_model.ts";
import type { OperationCall, Prepare } from "../contract/operation.ts";
import type { TaskEvent } from "./engine_service.ts";

/** Counters are sent with the first text after so many tokens. */
const TOKENS_BETWEEN_COUNTERS = 32;

/** Sends events one at a time: the next one is made when the last one is on its way, of what has come until then. */
class Outbox {
  readonly #call: ServedCall<TaskEvent>;
  readonly #next: () => TaskEvent | undefined;
  #sending: Promise<void> | undefined;

  /** @param next Makes the next event; undefined when there is nothing to say. */
  constructor(call: ServedCall<TaskEvent>, next: () => TaskEvent | undefined) {
    this.#call = call;
    this.#next = next;
  }

  /** There is something to say. */
  wake(): void {
    this.#sending ??= this.#send().finally(() => this.#sending = undefined);
  }

  /** Resolves when everything has been sent. */
  async drain(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    await Promise.resolve(); // text and count of a token arrive one after the other
    for (let event = this.#next(); event !== undefined; event = this.#next()) await this.#call.tell(event);
  }
}

/**
 * Sends the events of a chat. Later events are merged, so that a server slower than its engine gets longer texts and no
 * backlog; of drafts and prefill progress only the last one is kept.
 */
export class ChatOutbox implements ChatListener {
  readonly #call: ServedCall<TaskEvent>;
  readonly #counters: () => EngineCounters;
  readonly #outbox: Outbox;
  #prefill: { readonly done: number; readonly total: number } | undefined;
  #draft: WireDraft | undefined;
  #text = "";
  #reasoning = "";
  #tokens = 0;
  #tokensSinceCounters = 0;

  constructor(call: ServedCall<TaskEvent>, counters: () => EngineCounters) {
    this.#call = call;
    this.#counters = counters;
    this.#outbox = new Outbox(call, () => this.#next());
  }

  readonly onPreparing = async (): Promise<void> => {
    await this.#call.tell({ kind: "preparing" });
  };

  readonly onPrefill = (done: number, total: number): void => {
    this.#prefill = { done, total };
    this.#outbox.wake();
  };

  readonly onReasoning = (text: string): void => {
    this.#reasoning += text;
    this.#outbox.wake();
  };

  readonly onText = (text: string): void => {
    this.#text += text;
    this.#outbox.wake();
  };

  readonly onDraft = (draft: WireDraft): void => {
    this.#draft = draft;
    this.#outbox.wake();
  };

  readonly onTokens = (count: number): void => {
    this.#tokens += count;
    this.#outbox.wake();
  };

  /** Sends what is left, and the counters. */
  async drain(): Promise<void> {
    await this.#outbox.drain();
    await this.#call.tell({ kind: "counters", counters: this.#counters() });
  }

  #next(): TaskEvent | undefined {
    if (this.#prefill !== undefined) {
      const event: TaskEvent = { kind: "prefill", ...this.#prefill };
      this.#prefill = undefined;
      return event;
    }
    if (this.#draft !== undefined) {
      const event: TaskEvent = { kind: "draft", draft: this.#draft };
      this.#draft = undefined;
      return event;
    }
    if (this.#tokens === 0 && this.#text === "" && this.#reasoning === "") return undefined;
    const event: TaskEvent = {
      kind: "text",
      text: this.#text,
      ...this.#reasoning === "" ? {} : { reasoning: this.#reasoning },
      tokens: this.#tokens,
      ...this.#dueCounters(),
    };
    this.#text = this.#reasoning = "";
    this.#tokens = 0;
    return event;
  }

  #dueCounters(): { readonly counters?: EngineCounters } {
    this.#tokensSinceCounters += this.#tokens;
    if (this.#tokensSinceCounters < TOKENS_BETWEEN_COUNTERS) return {};
    this.#tokensSinceCounters = 0;
    return { counters: this.#counters() };
  }
}

/** Sends what an operation says: parts of the result one at a time, of its progress the last word. */
export class OperationOutbox implements OperationCall<unknown> {
  readonly #call: ServedCall<TaskEvent>;
  readonly #folder: string | undefined;
  readonly #outbox: Outbox;
  #progress: { readonly fraction: number; readonly stage: string } | undefined;

  constructor(call: ServedCall<TaskEvent>, folder: string | undefined) {
    this.#call = call;
    this.#folder = folder;
    this.#outbox = new Outbox(call, () => {
      const progress = this.#progress;
      this.#progress = undefined;
      return progress && { kind: "progress", ...progress };
    });
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get folder(): string {
    if (this.#folder !== undefined) return this.#folder;
    throw new Error("Cannot write a result: the caller of the operation gave no folder for files");
  }

  readonly prepare: Prepare = async (work) => {
    await this.#call.tell({ kind: "preparing" });
    const prepared = await work();
    await this.#call.tell({ kind: "prepared" });
    return prepared;
  };

  progress(fraction: number, stage: string): void {
    this.#progress = { fraction: Math.min(Math.max(fraction, 0), 1), stage };
    this.#outbox.wake();
  }

  async send(part: unknown): Promise<void> {
    await this.#call.hand({ kind: "part", part });
  }

  /** Resolves when all progress has been sent. */
  async drain(): Promise<void> {
    await this.#outbox.drain();
  }
}
