/**
 * The sound of a session's speaker, from its buffer to the items of a conversation.
 *
 * @module
 */
import type { InputConfig, RealtimeItem, ServerEvent, TurnConfig } from "../../../protocol/mod.ts";
import type { Clock } from "../../../scheduling/mod.ts";
import type { Conversation } from "./conversation.ts";
import { InputAudio, type InputEvent } from "./input_audio.ts";
import type { RealtimeAnswers } from "./realtime_answers.ts";
import type { Transcripts } from "./transcripts.ts";

/** Milliseconds of a turn, at most, that is written down in a pause, before it is certain that it has ended. */
const EXPECTED = 15_000;

/** Options of {@linkcode VoiceTurns}. */
export interface VoiceTurnsOptions {
  readonly clock: Clock;
  readonly conversation: Conversation;
  readonly transcripts: Transcripts;
  readonly answers: RealtimeAnswers;
  readonly newKey: () => string;
  readonly send: (event: ServerEvent) => void;
  /** Adds an item to the conversation, with its events. */
  readonly add: (item: RealtimeItem) => void;
  readonly fail: (error: unknown) => void;
}

/** Finds turns, commits them, and has them written down and answered. */
export class VoiceTurns {
  readonly #options: VoiceTurnsOptions;
  readonly #audio = new InputAudio();
  #config: TurnConfig | null = null;
  /** The item of the turn that is under way. */
  #turn: string | undefined;
  #cancelIdle = (): void => {};

  constructor(options: VoiceTurnsOptions) {
    this.#options = options;
  }

  /** Takes another configuration. */
  configure({ format, turns }: InputConfig): void {
    this.#config = turns;
    this.#audio.configure(format, turns);
    this.rest();
  }

  /** Takes sound as base64. Throws as {@linkcode InputAudio.append}. */
  async append(audio: string): Promise<void> {
    let hasStopped = false;
    this.#audio.append(audio, (event) => {
      hasStopped ||= event.kind === "stopped";
      this.#take(event);
    });
    if (hasStopped) await this.#options.transcripts.ready();
  }

  /** Makes an item of the sound that waits. Throws as {@linkcode InputAudio.commit}. */
  async commit(): Promise<void> {
    await this.#options.transcripts.ready();
    this.#commit(false);
  }

  /** Drops the sound that waits. */
  clear(): void {
    this.#audio.clear();
    this.#options.transcripts.drop();
    this.#turn = undefined;
  }

  /** An answer has ended: has the model speak again when nothing is said after it, while the client still plays it. */
  await(): void {
    this.rest();
    const { clock, answers } = this.#options;
    const { idleTimeout } = this.#config ?? {};
    if (idleTimeout === undefined) return;
    this.#cancelIdle = clock.after(idleTimeout + answers.playsFor, () => {
      if (!this.#audio.speaking && !answers.isActive) this.#speakAgain();
    });
  }

  /** Something happens: nothing is awaited any more. */
  rest(): void {
    this.#cancelIdle();
    this.#cancelIdle = () => {};
  }

  #take(event: InputEvent): void {
    const { send, answers, transcripts, newKey } = this.#options;
    switch (event.kind) {
      case "started":
        this.rest();
        this.#turn = `item_${newKey()}`;
        send({ type: "input_audio_buffer.speech_started", audio_start_ms: event.start, item_id: this.#turn });
        if (this.#config?.interruptResponse) answers.interrupt();
        return;
      case "paused":
        if (this.#audio.waiting <= EXPECTED) transcripts.expect(this.#audio.peek());
        return;
      case "resumed":
        return transcripts.drop();
      case "stopped":
        send({ type: "input_audio_buffer.speech_stopped", audio_end_ms: event.end, item_id: this.#turn });
        return this.#endTurn();
    }
  }

  #endTurn(): void {
    try {
      const id = this.#commit(true);
      if (this.#config?.createResponse) this.#options.answers.createAfter(id);
    } catch (error) {
      this.clear();
      this.#options.fail(error);
    }
  }

  #commit(isExpected: boolean): string {
    const { answers, transcripts, newKey } = this.#options;
    this.#audio.checkCommit();
    answers.takeRate();
    const recording = this.#audio.commit();
    const id = this.#turn ?? `item_${newKey()}`;
    this.#turn = undefined;
    this.#addHeard(id, null);
    transcripts.begin(id, 0, recording, isExpected);
    return id;
  }

  #speakAgain(): void {
    const { send, newKey, answers, fail } = this.#options;
    const end = Math.round(this.#audio.milliseconds);
    const start = Math.round(end - this.#audio.waiting);
    const id = `item_${newKey()}`;
    this.#audio.clear();
    send({ type: "input_audio_buffer.timeout_triggered", audio_start_ms: start, audio_end_ms: end, item_id: id });
    try {
      this.#addHeard(id, "");
      answers.create({}, null);
    } catch (error) {
      fail(error);
    }
  }

  #addHeard(id: string, transcript: string | null): void {
    const { send, conversation, add } = this.#options;
    send({ type: "input_audio_buffer.committed", previous_item_id: conversation.last, item_id: id });
    const content = [{ kind: "audio", transcript }] as const;
    add({ id, type: "message", role: "user", status: "completed", content });
  }
}
