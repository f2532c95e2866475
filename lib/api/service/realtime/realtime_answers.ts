/**
 * The responses of a realtime session: one at a time in its conversation, and some beside it.
 *
 * @module
 */
import {
  type AnswerConfig,
  chatItem,
  configPatch,
  patched,
  Places,
  readResponsesRequest,
  type RealtimeConfig,
  type RealtimeItem,
  type RealtimeVersion,
  responseBody,
  sentItem,
  type ServerEvent,
  type SessionHead,
} from "../../../protocol/mod.ts";
import type { DialectChat } from "../../../protocol/mod.ts";
import type { Clock } from "../../../scheduling/mod.ts";
import { orAbort } from "../../../scheduling/linked_signal.ts";
import { type ErrorObject, invalidField, SvcError } from "../../../errors/svc_error.ts";
import type { PreparedChat } from "../chat_service.ts";
import type { PreparedSpeech } from "../audio/speech_service.ts";
import type { Conversation } from "./conversation.ts";
import { RealtimeResponse } from "./realtime_response.ts";
import type { Transcripts } from "./transcripts.ts";

/** Responses beside the conversation, at the same time. */
const MAX_BESIDE = 4;

/** What a client may still send. */
export interface RealtimeAllowance {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** What answers are made with. */
export interface AnswerSources {
  readonly version: RealtimeVersion;
  readonly head: SessionHead;
  readonly clock: Clock;
  readonly config: () => RealtimeConfig;
  /** Checks a chat. */
  readonly chat: (chat: DialectChat) => Promise<PreparedChat>;
  readonly speech: (body: unknown) => Promise<PreparedSpeech>;
  readonly drained: (signal: AbortSignal) => Promise<void>;
  readonly explain: (error: unknown) => ErrorObject;
  readonly check: (config: RealtimeConfig, listens: boolean) => Promise<void>;
  /** Counts a request; undefined where there is no limit. Throws `rate_limit_exceeded`. */
  readonly takeRate: () => RealtimeAllowance | undefined;
}

/** Options of {@linkcode RealtimeAnswers}. */
export interface RealtimeAnswersOptions extends AnswerSources {
  readonly conversation: Conversation;
  readonly conversationId: string;
  readonly transcripts: Transcripts;
  readonly newKey: () => string;
  readonly send: (event: ServerEvent) => void;
  /** Sends the error of a client's event. */
  readonly fail: (error: unknown, eventId: string | null) => void;
  /** Called when a response has ended. */
  readonly onIdle: () => void;
}

type Wire = Readonly<Record<string, unknown>>;

/** An item, and its path for errors. */
interface PlacedItem {
  readonly item: RealtimeItem;
  readonly path: string;
}

/** What is asked of one response. */
interface Asked {
  readonly config: AnswerConfig;
  readonly params: Wire;
  /** Its own items; those of the conversation where it has none. */
  readonly input: readonly PlacedItem[] | undefined;
}

/** Starts, cancels and awaits responses. */
export class RealtimeAnswers {
  readonly #options: RealtimeAnswersOptions;
  readonly #beside = new Set<RealtimeResponse>();
  #active: RealtimeResponse | undefined;
  /** The turn that is answered when the response that is under way has ended. */
  #next: string | undefined;
  #playsUntil = 0;

  constructor(options: RealtimeAnswersOptions) {
    this.#options = options;
  }

  /** Whether a response of the conversation is under way. */
  get isActive(): boolean {
    return this.#active !== undefined;
  }

  /** Milliseconds for which a client that plays what it gets still plays the last answer. */
  get playsFor(): number {
    return Math.max(0, this.#playsUntil - this.#options.clock.now());
  }

  /** Counts a request of the client. Throws `rate_limit_exceeded`. */
  takeRate(): void {
    this.#options.takeRate();
  }

  /** Checks the tools of a session. Throws {@linkcode SvcError}. */
  checkTools(config: RealtimeConfig): void {
    this.#read({ config, params: {}, input: [] });
  }

  /**
   * Starts a response.
   *
   * @throws {SvcError} for what is wrong with it, and where one is under way.
   */
  create(params: Wire, eventId: string | null): void {
    const config = patched<AnswerConfig>(this.#options.config(), configPatch(params));
    const isBeside = params.conversation === "none";
    if (isBeside ? this.#beside.size >= MAX_BESIDE : this.#active !== undefined) {
      const message = "Cannot create the response: another one is under way, wait for its response.done or cancel it";
      throw new SvcError("conversation_already_has_active_response", message);
    }
    const asked = { config, params, input: this.#inputOf(params) };
    const response = this.#register(asked, isBeside);
    void this.#run(response, asked, eventId);
  }

  /** Answers a turn that has ended, if something was said, after the response that is under way. */
  createAfter(turn: string): void {
    if (this.#active !== undefined) {
      this.#next = turn;
      return;
    }
    const asked = { config: this.#options.config(), params: {}, input: undefined };
    void this.#run(this.#register(asked, false), asked, null, turn);
  }

  /**
   * Cancels a response.
   *
   * @param id Of any one; that of the conversation where it is undefined.
   * @throws {SvcError} `response_cancel_not_active`.
   */
  cancel(id: string | undefined): void {
    const all = [...this.#beside, ...this.#active ? [this.#active] : []];
    const response = id === undefined ? this.#active : all.find((one) => one.id === id);
    if (response) return response.cancel("client_cancelled");
    const which = id === undefined ? "none of the conversation" : `${JSON.stringify(id)} is not one that`;
    const message = `Cannot cancel the response: ${which} is under way`;
    throw new SvcError("response_cancel_not_active", message, id === undefined ? {} : { param: "response_id" });
  }

  /** A voice has interrupted the answer. */
  interrupt(): void {
    this.#next = undefined;
    this.#active?.cancel("turn_detected");
  }

  /** Cancels everything. */
  end(): void {
    this.#next = undefined;
    for (const response of [...this.#beside, ...this.#active ? [this.#active] : []]) {
      response.cancel("client_cancelled");
    }
  }

  #register({ config, params }: Asked, isBeside: boolean): RealtimeResponse {
    const { conversation, conversationId, newKey } = this.#options;
    const response = new RealtimeResponse({
      ...this.#options,
      key: newKey(),
      config,
      conversation: isBeside ? null : conversationId,
      metadata: params.metadata ?? null,
      add: (item, spoken) => conversation.add(item, undefined, spoken),
      replace: (item) => conversation.replace(item),
    });
    if (isBeside) this.#beside.add(response);
    else this.#active = response;
    return response;
  }

  /** @param turn A turn that is only answered if something was said. */
  async #run(response: RealtimeResponse, asked: Asked, eventId: string | null, turn?: string): Promise<void> {
    const began = this.#options.clock.now();
    try {
      const chat = await this.#prepare(response, asked, turn);
      if (chat === undefined) return;
      const rate = this.#options.takeRate();
      response.begin();
      if (rate) this.#options.send({ type: "rate_limits.updated", rate_limits: [wireRate(rate)] });
      await response.run(chat);
      this.#playsUntil = began + response.milliseconds;
    } catch (error) {
      // One that was cancelled before its first event ends as others do, unless nobody has asked for it.
      if (!response.signal.aborted) this.#options.fail(error, eventId);
      else if (turn === undefined) response.fail(error);
    } finally {
      this.#beside.delete(response);
      if (this.#active === response) this.#active = undefined;
      this.#ended();
    }
  }

  #ended(): void {
    if (this.#active !== undefined) return;
    const next = this.#next;
    this.#next = undefined;
    if (next !== undefined) this.createAfter(next);
    else this.#options.onIdle();
  }

  /** The chat of a response; undefined where nothing was said. */
  async #prepare(response: RealtimeResponse, asked: Asked, turn?: string): Promise<PreparedChat | undefined> {
    const { transcripts, conversation, chat, check, config } = this.#options;
    if (asked.config.spoken) await check({ ...config(), ...asked.config }, false);
    const ids = (asked.input ?? conversation.items.map((item) => ({ item }))).map(({ item }) => item.id);
    await orAbort(transcripts.known(ids), response.signal);
    if (turn !== undefined && saysNothing(conversation.items.find(({ id }) => id === turn))) return undefined;
    // Items may have got their transcripts meanwhile.
    const known = asked.input?.map(({ item, path }) => ({ item: currentItem(conversation, item), path }));
    return await orAbort(chat(this.#read({ ...asked, input: known })), response.signal);
  }

  #read({ config, params, input }: Asked): DialectChat {
    const placed = input ?? this.#options.conversation.items.map((item) => ({ item, path: `conversation.${item.id}` }));
    const places = new Places();
    const body = responseBody(this.#options.head.model, config, placed.map(({ item }) => chatItem(item)));
    for (const name of Object.keys(body)) places.set(name, `${name in params ? "response" : "session"}.${name}`);
    places.set("input", "conversation");
    for (const [i, { path }] of placed.entries()) places.set(`input[${i}]`, path);
    try {
      const chat = readResponsesRequest(body, { history: () => undefined, item: () => undefined });
      return { request: chat.request, places: chained(chat.places, places) };
    } catch (error) {
      throw places.reword(error);
    }
  }

  #inputOf({ input }: Wire): PlacedItem[] | undefined {
    if (input === undefined || input === null) return undefined;
    const { conversation, newKey } = this.#options;
    return (input as readonly Wire[]).map((given, i) => {
      const path = `response.input[${i}]`;
      if (given.type === "item_reference") return { item: conversation.find(String(given.id), `${path}.id`), path };
      const { id = `item_${newKey()}`, content, sounds } = sentItem(given, () => `call_${newKey()}`);
      if (sounds.size === 0) return { item: { id, status: "completed", ...content }, path };
      const message = `Cannot create the response: "${path}" has sound, expected texts and references to items: ` +
        "add it as an item of the conversation first";
      throw invalidField(path, message);
    });
  }
}

/** Errors of a chat are in the words of Responses, and those in the words of the session. */
function chained(inner: Places, outer: Places): Places {
  const both = new Places();
  both.reword = (error) => outer.reword(inner.reword(error));
  both.own = (chat) => outer.own(inner.own(chat));
  return both;
}

function currentItem(conversation: Conversation, item: RealtimeItem): RealtimeItem {
  return conversation.items.find(({ id }) => id === item.id) ?? item;
}

function saysNothing(item: RealtimeItem | undefined): boolean {
  if (item?.type !== "message") return true;
  return item.content.every((part) => part.kind === "audio" && (part.transcript ?? "").trim() === "");
}

function wireRate({ limit, remaining, resetSeconds }: RealtimeAllowance): Wire {
  return { name: "requests", limit, remaining, reset_seconds: resetSeconds };
}
