/**
 * A realtime session: a conversation by events, as text and as sound.
 *
 * @module
 */
import {
  type ClientEvent,
  configPatch,
  eventIdOf,
  patched,
  readClientEvent,
  type RealtimeConfig,
  type RealtimeItem,
  sentItem,
  type ServerEvent,
  sessionObject,
  versionEvent,
  wireItem,
} from "../../../protocol/mod.ts";
import { invalidField } from "../../../errors/svc_error.ts";
import { Conversation } from "./conversation.ts";
import { recordingOf } from "./input_audio.ts";
import { type AnswerSources, RealtimeAnswers } from "./realtime_answers.ts";
import { type Transcribe, Transcripts } from "./transcripts.ts";
import { VoiceTurns } from "./voice_turns.ts";

/** What a session is given. */
export interface RealtimeSessionOptions extends Omit<AnswerSources, "config"> {
  /** The name of the model that the client has asked for. */
  readonly asked: string;
  readonly config: RealtimeConfig;
  readonly newId: () => string;
  /** Sends an event as text. */
  readonly send: (text: string) => void;
  readonly transcribe: Transcribe;
  /** Loads what a spoken conversation needs, before it is needed. */
  readonly warm: (config: RealtimeConfig) => void;
}

/** Milliseconds in which a client changes its session after it is open. */
const WARM_AFTER = 300;

/** Takes the events of one client, one after the other, and sends its own. */
export class RealtimeSession {
  readonly #options: RealtimeSessionOptions;
  readonly #conversation = new Conversation();
  readonly #transcripts: Transcripts;
  readonly #answers: RealtimeAnswers;
  readonly #turns: VoiceTurns;
  readonly #key: string;
  #config: RealtimeConfig;
  #events = 0;
  /** Whether sound can be heard with this configuration; undefined before the first. */
  #hears: Promise<void> | undefined;
  #cancelWarm = (): void => {};
  #ended = false;

  constructor(options: RealtimeSessionOptions) {
    const { config, transcribe, explain, clock } = options;
    this.#options = options;
    this.#config = config;
    this.#key = this.#newKey();
    const newKey = (): string => this.#newKey();
    const conversation = this.#conversation;
    const send = (event: ServerEvent): void => this.#send(event);
    const transcripts = new Transcripts({
      transcribe,
      config: () => this.#config.input.transcription,
      keep: (id, index, transcript) => this.#keep(id, index, transcript),
      send,
      explain,
    });
    const answers: RealtimeAnswers = new RealtimeAnswers({
      ...options,
      config: () => this.#config,
      conversation,
      conversationId: `conv_${this.#key}`,
      transcripts,
      newKey,
      send,
      fail: (error, id) => this.#fail(error, id),
      onIdle: () => this.#ended || this.#turns.await(),
    });
    this.#transcripts = transcripts;
    this.#answers = answers;
    const fail = (error: unknown): void => this.#fail(error, null);
    const add = (item: RealtimeItem): void => this.#add(item, undefined);
    this.#turns = new VoiceTurns({ clock, conversation, transcripts, answers, newKey, send, add, fail });
    this.#turns.configure(config.input);
  }

  /** Sends the first events. A client that wants no sound says so at once, else its models are loaded. */
  begin(): void {
    const { clock, warm } = this.#options;
    this.#send({ type: "session.created", session: this.#session() });
    const isVoice = this.#config.spoken && this.#config.input.turns !== null;
    if (isVoice) this.#cancelWarm = clock.after(WARM_AFTER, () => warm(this.#config));
    if (this.#options.version === "ga") return;
    const conversation = { id: `conv_${this.#key}`, object: "realtime.conversation" };
    this.#send({ type: "conversation.created", conversation });
  }

  /** Takes an event; the next one may come when it has resolved. */
  async receive(value: unknown): Promise<void> {
    try {
      await this.#take(readClientEvent(value, this.#options.version));
    } catch (error) {
      this.#fail(error, eventIdOf(value));
    }
  }

  /** Refuses what is not an event. */
  refuse(error: unknown): void {
    this.#fail(error, null);
  }

  /** Ends all that is under way. */
  end(): void {
    this.#ended = true;
    this.#cancelWarm();
    this.#turns.rest();
    this.#answers.end();
    this.#transcripts.end();
  }

  async #take(event: ClientEvent): Promise<void> {
    switch (event.type) {
      case "session.update":
        return await this.#update(event.session);
      case "input_audio_buffer.append":
        await this.#checkHearing();
        return await this.#turns.append(event.audio);
      case "input_audio_buffer.commit":
        return await this.#turns.commit();
      case "input_audio_buffer.clear":
        this.#turns.clear();
        return this.#send({ type: "input_audio_buffer.cleared" });
      case "conversation.item.create":
        return await this.#create(event.item, event.previous_item_id ?? undefined);
      case "conversation.item.retrieve": {
        const item = wireItem(this.#conversation.find(event.item_id, "item_id"), this.#options.version);
        return this.#send({ type: "conversation.item.retrieved", item });
      }
      case "conversation.item.truncate": {
        const { item_id, content_index, audio_end_ms } = event;
        this.#conversation.truncate(item_id, content_index, audio_end_ms);
        return this.#send({ type: "conversation.item.truncated", item_id, content_index, audio_end_ms });
      }
      case "conversation.item.delete":
        this.#conversation.delete(event.item_id);
        return this.#send({ type: "conversation.item.deleted", item_id: event.item_id });
      case "response.create":
        this.#turns.rest();
        return this.#answers.create(event.response ?? {}, event.event_id ?? null);
      case "response.cancel":
        return this.#answers.cancel(event.response_id ?? undefined);
    }
  }

  async #update(session: Readonly<Record<string, unknown>>): Promise<void> {
    const { head, asked, check, warm } = this.#options;
    const { model } = session;
    if (typeof model === "string" && model !== head.model && model !== asked) {
      const message =
        `Cannot update the session: "session.model" is ${JSON.stringify(model)}, but it was opened with ` +
        `${JSON.stringify(head.model)}: open another one`;
      throw invalidField("session.model", message);
    }
    const patch = configPatch(session);
    const config = patched(this.#config, patch);
    const listens = patch.input?.turns != null || patch.input?.transcription != null;
    await check(config, listens);
    this.#answers.checkTools(config);
    this.#config = config;
    this.#hears = undefined;
    this.#cancelWarm();
    this.#turns.configure(config.input);
    this.#send({ type: "session.updated", session: this.#session() });
    if (listens || config.spoken) warm(config);
  }

  /** Makes sure that there is a recogniser, once, and loads what its words need. */
  async #checkHearing(): Promise<void> {
    const { check, warm } = this.#options;
    if (this.#hears === undefined) {
      const config = this.#config;
      this.#hears = check({ ...config, spoken: false }, true);
      this.#hears.then(() => warm(config), () => {});
    }
    await this.#hears;
  }

  async #create(sent: Readonly<Record<string, unknown>>, after: string | undefined): Promise<void> {
    const { id = `item_${this.#newKey()}`, content, sounds } = sentItem(sent, () => `call_${this.#newKey()}`);
    const recordings = [...sounds].map(([i, sound]) => [i, recordingOf(sound, this.#config.input.format)] as const);
    if (recordings.length > 0) await this.#checkHearing();
    for (const _ of recordings) this.#answers.takeRate();
    this.#add({ id, status: "completed", ...content }, after);
    for (const [i, recording] of recordings) {
      await this.#transcripts.ready();
      this.#transcripts.begin(id, i, recording, false);
    }
  }

  #add(item: RealtimeItem, after: string | undefined): void {
    const before = this.#conversation.add(item, after);
    const wire = { previous_item_id: before, item: wireItem(item, this.#options.version) };
    this.#send({ type: "conversation.item.added", ...wire });
    this.#send({ type: "conversation.item.done", ...wire });
  }

  #keep(id: string, index: number, transcript: string): void {
    const item = this.#conversation.items.find((one) => one.id === id);
    if (item?.type !== "message") return;
    this.#conversation.replace({ ...item, content: item.content.with(index, { kind: "audio", transcript }) });
  }

  #session(): unknown {
    return sessionObject(this.#options.head, this.#config, this.#options.version);
  }

  #fail(error: unknown, eventId: string | null): void {
    const { type, code, message, param = null } = this.#options.explain(error);
    this.#send({ type: "error", error: { type, code, message, param, event_id: eventId } });
  }

  #send(event: ServerEvent): void {
    const own = versionEvent(event, this.#options.version);
    if (own === undefined || this.#ended) return;
    const { type, ...members } = own;
    this.#options.send(JSON.stringify({ type, event_id: `event_${this.#key}${this.#events++}`, ...members }));
  }

  #newKey(): string {
    return this.#options.newId().replaceAll("-", "").slice(0, 20);
  }
}
