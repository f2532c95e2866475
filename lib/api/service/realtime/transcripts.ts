/**
 * What was said in the sound of a realtime session, as it becomes known.
 *
 * @module
 */
import type { ServerEvent, TranscriptionConfig } from "../../../protocol/mod.ts";
import type { ErrorObject } from "../../../errors/svc_error.ts";
import type { Recording } from "./input_audio.ts";

/** Writes down a recording, segment by segment. */
export type Transcribe = (
  recording: Recording,
  config: TranscriptionConfig | null,
  onSegment: (text: string) => void,
  signal: AbortSignal,
) => Promise<string>;

/** Options of {@linkcode Transcripts}. */
export interface TranscriptsOptions {
  readonly transcribe: Transcribe;
  /** How transcripts are wanted; null where they are not sent. */
  readonly config: () => TranscriptionConfig | null;
  /** Called with the transcript of a part of an item. */
  readonly keep: (item: string, contentIndex: number, transcript: string) => void;
  readonly send: (event: ServerEvent) => void;
  readonly explain: (error: unknown) => ErrorObject;
}

/** Recordings that are written down at the same time; more wait for their turn. */
const MAX_RUNNING = 4;

interface Running {
  readonly abort: AbortController;
  readonly segments: string[];
  onSegment: (text: string) => void;
  readonly text: Promise<string>;
}

/** Has the recogniser write down what was said, also before it is certain that a turn has ended. */
export class Transcripts {
  readonly #options: TranscriptsOptions;
  /** By the id of its item and the index of its part. */
  readonly #pending = new Map<string, Promise<void>>();
  readonly #running = new Set<Running>();
  #early: Running | undefined;

  constructor(options: TranscriptsOptions) {
    this.#options = options;
  }

  /** Starts on a turn that may have ended; {@linkcode begin} continues with it unless it is {@linkcode drop}ped. */
  expect(recording: Recording): void {
    this.drop();
    this.#early = this.#start(recording);
  }

  /** The turn has not ended. */
  drop(): void {
    this.#early?.abort.abort(new DOMException("The turn has not ended", "AbortError"));
    this.#early = undefined;
  }

  /**
   * Writes down the sound of a part of an item.
   *
   * @param isExpected Whether it is the turn that was expected, with silence after it.
   */
  begin(item: string, contentIndex: number, recording: Recording, isExpected: boolean): void {
    const { send, config, explain, keep } = this.#options;
    if (!isExpected) this.drop();
    const running = this.#early ?? this.#start(recording);
    this.#early = undefined;
    const place = { item_id: item, content_index: contentIndex };
    const tell = (delta: string): void => {
      if (config() !== null) send({ type: `${EVENT}.delta`, ...place, delta });
    };
    for (const segment of running.segments) tell(segment);
    running.onSegment = tell;
    const key = keyOf(item, contentIndex);
    const finished = running.text.then((transcript) => {
      keep(item, contentIndex, transcript);
      if (config() === null) return;
      const usage = { type: "duration", seconds: Math.ceil(recording.seconds) };
      send({ type: `${EVENT}.completed`, ...place, transcript, usage });
    }, (error) => {
      if (!running.abort.signal.aborted) send({ type: `${EVENT}.failed`, ...place, error: explain(error) });
      throw error;
    }).finally(() => this.#pending.delete(key));
    finished.catch(() => {}); // who waits for it handles a failure
    this.#pending.set(key, finished);
  }

  /** Waits for the transcripts of some items; rejects with why one of them failed. */
  async known(items: readonly string[]): Promise<void> {
    const wanted = new Set(items);
    const waits = [...this.#pending].filter(([key]) => wanted.has(key.slice(key.indexOf(" ") + 1)));
    await Promise.all(waits.map(([, known]) => known));
  }

  /** Waits until another recording may be begun. */
  async ready(): Promise<void> {
    while (this.#running.size >= MAX_RUNNING) {
      await Promise.race([...this.#running].map(({ text }) => text.catch(() => {})));
    }
  }

  /** Ends all that runs. */
  end(): void {
    for (const { abort } of this.#running) abort.abort(new DOMException("The session has ended", "AbortError"));
  }

  #start(recording: Recording): Running {
    const abort = new AbortController();
    const onSegment = (text: string): void => {
      running.segments.push(text);
      running.onSegment(text);
    };
    const { transcribe, config } = this.#options;
    const text = transcribe(recording, config(), onSegment, abort.signal);
    const running: Running = { abort, segments: [], onSegment: () => {}, text };
    this.#running.add(running);
    const forget = (): void => void this.#running.delete(running);
    text.then(forget, forget);
    return running;
  }
}

const EVENT = "conversation.item.input_audio_transcription";

function keyOf(item: string, contentIndex: number): string {
  return `${contentIndex} ${item}`;
}
