/**
 * A realtime session: a conversation by events, as text and as sound.
 *
 * @module
 */
import {
  type ClientEvent,
  configPatch,
  eventIdOf,
  type RealtimeConfig,
  patched,
  type RealtimeItem,
  type RealtimeVersion,
  readClientEvent,
  type SentItem,
  sentItem,
  type ServerEvent,
  type SessionHead,
  sessionObject,
  versionEvent,
  wireItem,
} from "../../../protocol/mod.ts";
import type { Clock } from "../../../scheduling/mod.ts";
import { type ErrorObject, invalidField } from "../../../errors/svc_error.ts";
import type { PreparedSpeech } from "../audio/speech_service.ts";
import { Conversation } from "./conversation.ts";
import { InputAudio, type InputEvent, recordingOf } from "./input_audio.ts";
import { type AnswerSources, RealtimeAnswers } from "./realtime_answers.ts";
import { type Transcribe, Transcripts } from "./transcripts.ts";

/** What a session is given. */
export interface RealtimeSessionOptions extends Omit<AnswerSources, "config"> {
  readonly version: RealtimeVersion;
  readonly head: SessionHead;
  /** The name of the model that the client has asked for. */
  readonly asked: string;
  readonly config: RealtimeConfig;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Sends an event as text. */
  readonly send: (text: string) => void;
  readonly drained: (signal: AbortSignal) => Promise<void>;
  readonly speech: (body: unknown) => Promise<PreparedSpeech>;
  readonly transcribe: Transcribe;
  readonly explain: (error: unknown) => ErrorObject;
  /** Makes sure that a configuration can be had: its voice, its recogniser. */
  readonly check: (config: RealtimeConfig, hears: boolean) => Promise<void>;
  /** Loads what a spoken conversation needs, before it is needed. */
  readonly warm: (config: RealtimeConfig) => void;
}

/** Takes the events of one client, one after the other, and sends its own. */
export class RealtimeSession {
  readonly #options: RealtimeSessionOptions;
  readonly #conversation = new Conversation();
  readonly #audio = new InputAudio();
  readonly #transcripts: Transcripts;
  readonly #answers: RealtimeAnswers;
  readonly #key: string;
  #config: RealtimeConfig;
  #events = 0;
  /** The item of the turn that is under way. */
  #turn: string | undefined;
  #heard: Promise<void> | undefined;
  #cancelIdle = (): void => {};
  #ended = false;

  constructor(options: RealtimeSessionOptions) {
    const { config, transcribe, explain } = options;
    this.#options = options;
    this.#config = config;
    this.#key = this.#newKey();
    this.#audio.configure(config.input.format, config.input.turns);
    const send = (event: ServerEvent): void => this.#send(event);
    this.#transcripts = new Transcripts({
      transcribe,
      config: () => this.#config.input.transcription,
      send,
      explain,
    });
    this.#answers = new RealtimeAnswers({
      ...options,
      config: () => this.#config,
      conversation: this.#conversation,
      conversationId: `conv_${this.#key}`,
      transcripts: this.#transcripts,
      newKey: () => this.#newKey(),
      send,
      fail: (error, id) => this.#fail(error, id),
      onIdle: () => this.#armIdle(),
    });
  }

  /** Sends the first events. */
  begin(): void {
    this.#send({ type: "session.created", session: this.#session() });
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
    this.#cancelIdle();
    this.#answers.end();
    this.#transcripts.end();
  }

  async #take(event: ClientEvent): Promise<void> {
    switch (event.type) {
      case "session.update":
        return await this.#update(event.session);
      case "input_audio_buffer.append":
        return await this.#append(event.audio);
      case "input_audio_buffer.commit":
        await this.#transcripts.ready();
        this.#commitTurn(false);
        return;
      case "input_audio_buffer.clear":
        this.#audio.clear();
        this.#transcripts.drop();
        this.#turn = undefined;
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
        this.#cancelIdle();
        return this.#answers.create(event.response ?? {}, event.event_id ?? null);
      case "response.cancel":
        return this.#answers.cancel(event.response_id ?? undefined);
    }
  }

  async #update(session: Readonly<Record<string, unknown>>): Promise<void> {
    const { head, asked, check } = this.#options;
    const { model } = session;
    if (typeof model === "string" && model !== head.model && model !== asked) {
      const message = `Cannot update the session: "session.model" is ${JSON.stringify(model)}, but it was opened with ` +
        `${JSON.stringify(head.model)}: open another one`;
      throw invalidField("session.model", message);
    }
    const patch = configPatch(session);
    const config = patched(this.#config, patch);
    const hears = patch.input?.turns != null || patch.input?.transcription != null;
    await check(config, hears);
    this.#answers.checkTools(config);
    this.#config = config;
    this.#heard = undefined;
    this.#audio.configure(config.input.format, config.input.turns);
    this.#cancelIdle();
    this.#send({ type: "session.updated", session: this.#session() });
  }

  async #append(audio: string): Promise<void> {
    const { check, warm } = this.#options;
    if (this.#heard === undefined) {
      this.#heard = check({ ...this.#config, spoken: false }, true);
      this.#heard.then(() => warm(this.#config), () => {});
    }
    await this.#heard;
    const happened: InputEvent[] = [];
    // A turn is committed while the sound after it still comes.
    this.#audio.append(audio, (event) => {
      happened.push(event);
      this.#heardTurn(event);
    });
    if (happened.some(({ kind }) => kind === "stopped")) await this.#transcripts.ready();
  }

  #heardTurn(event: InputEvent): void {
    switch (event.kind) {
      case "started":
        this.#turn = `item_${this.#newKey()}`;
        this.#cancelIdle();
        this.#send({
          type: "input_audio_buffer.speech_started",
          audio_start_ms: event.start,
          item_id: this.#turn,
        });
        if (this.#config.input.turns?.interruptResponse) this.#answers.interrupt();
        return;
      case "paused":
        return this.#transcripts.expect(this.#audio.peek());
      case "resumed":
        return this.#transcripts.drop();
      case "stopped":
        this.#send({ type: "input_audio_buffer.speech_stopped", audio_end_ms: event.end, item_id: this.#turn });
        return this.#endTurn();
    }
  }

  #endTurn(): void {
    try {
      const id = this.#commitTurn(true);
      if (this.#config.input.turns?.createResponse) this.#answers.createAfter(id);
    } catch (error) {
      this.#audio.clear();
      this.#transcripts.drop();
      this.#turn = undefined;
      this.#fail(error, null);
    }
  }

  /** Makes an item of the sound that waits. */
  #commitTurn(isExpected: boolean): string {
    this.#answers.takeRate();
    const recording = this.#audio.commit();
    const id = this.#turn ?? `item_${this.#newKey()}`;
    this.#turn = undefined;
    const before = this.#conversation.last;
    this.#send({ type: "input_audio_buffer.committed", previous_item_id: before, item_id: id });
    this.#add({ id, content: heardMessage(null), sounds: new Map() }, undefined);
    this.#transcripts.begin(id, 0, recording, isExpected, (transcript) => this.#keep(id, 0, transcript));
    return id;
  }

  async #create(item: Readonly<Record<string, unknown>>, after: string | undefined): Promise<void> {
    const sent = sentItem(item, () => `call_${this.#newKey()}`);
    const recordings = [...sent.sounds].map(([i, sound]) => {
      return [i, recordingOf(sound, this.#config.input.format)] as const;
    });
    if (recordings.length > 0) await this.#options.check({ ...this.#config, spoken: false }, true);
    for (const _ of recordings) this.#answers.takeRate();
    const id = this.#add(sent, after);
    for (const [i, recording] of recordings) {
      await this.#transcripts.ready();
      this.#transcripts.begin(id, i, recording, false, (transcript) => this.#keep(id, i, transcript));
    }
  }

  #add({ id = `item_${this.#newKey()}`, content }: SentItem, after: string | undefined): string {
    const item: RealtimeItem = { id, status: "completed", ...content };
    const before = this.#conversation.add(item, after);
    const wire = { previous_item_id: before, item: wireItem(item, this.#options.version) };
    this.#send({ type: "conversation.item.added", ...wire });
    this.#send({ type: "conversation.item.done", ...wire });
    return id;
  }

  #keep(id: string, index: number, transcript: string): void {
    const item = this.#conversation.items.find((one) => one.id === id);
    if (item?.type !== "message") return;
    this.#conversation.replace({ ...item, content: item.content.with(index, { kind: "audio", transcript }) });
  }

  /** Has the model speak again when nothing is said after an answer, which the client still plays for a time. */
  #armIdle(): void {
    this.#cancelIdle();
    const { idleTimeout } = this.#config.input.turns ?? {};
    if (idleTimeout === undefined || this.#ended) return;
    this.#cancelIdle = this.#options.clock.after(idleTimeout + this.#answers.playsFor, () => {
      if (this.#audio.speaking || this.#answers.isActive) return;
      const end = Math.round(this.#audio.milliseconds);
      const start = Math.round(end - this.#audio.waiting);
      const id = `item_${this.#newKey()}`;
      this.#audio.clear();
      this.#send({
        type: "input_audio_buffer.timeout_triggered",
        audio_start_ms: start,
        audio_end_ms: end,
        item_id: id,
      });
      this.#send({ type: "input_audio_buffer.committed", previous_item_id: this.#conversation.last, item_id: id });
      this.#add({ id, content: heardMessage(""), sounds: new Map() }, undefined);
      try {
        this.#answers.create({}, null);
      } catch (error) {
        this.#fail(error, null);
      }
    });
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

function heardMessage(transcript: string | null): SentItem["content"] {
  return { type: "message", role: "user", content: [{ kind: "audio", transcript }] };
}
