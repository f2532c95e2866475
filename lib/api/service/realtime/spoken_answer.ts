/**
 * Speaks an answer while it is generated.
 *
 * @module
 */
import { type LiveEncoding, readLive, writeLive } from "../../../media/audio/live_audio.ts";
import { Resampler } from "../../../media/audio/resampler.ts";
import { AUDIO_RATES, type OutputConfig, SentenceSplitter } from "../../../protocol/mod.ts";
import { base64Of } from "../../../protocol/speech_events.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import type { PreparedSpeech } from "../audio/speech_service.ts";
import type { SpokenSentence } from "./conversation.ts";

const encodings: Readonly<Record<OutputConfig["format"], LiveEncoding>> = {
  "audio/pcm": "s16",
  "audio/pcmu": "ulaw",
  "audio/pcma": "alaw",
};

/** Seconds of sound in one event. */
const EVENT_SECONDS = 0.2;

/** What is called while an answer is spoken. */
export interface SpeechOutput {
  /** Called with a sentence before its sound. */
  readonly onSentence: (text: string) => void;
  /** Called with sound as base64; the following comes when it has resolved. */
  readonly onSound: (base64: string) => Promise<void>;
  /** Called when nothing more can be spoken. */
  readonly onFailure: (error: unknown) => void;
}

/** Options of a {@linkcode SpokenAnswer}. */
export interface SpokenAnswerOptions {
  readonly output: OutputConfig;
  /** Checks a request for speech. */
  readonly speech: (body: unknown) => Promise<PreparedSpeech>;
  readonly signal: AbortSignal;
}

/** Takes the text of an answer in pieces, and speaks it sentence by sentence, at its own pace. */
export class SpokenAnswer {
  readonly #options: SpokenAnswerOptions;
  readonly #listener: SpeechOutput;
  readonly #splitter = new SentenceSplitter();
  readonly #queue: string[] = [];
  readonly #spoken: SpokenSentence[] = [];
  #milliseconds = 0;
  #work: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: SpokenAnswerOptions, listener: SpeechOutput) {
    this.#options = options;
    this.#listener = listener;
  }

  /** What was spoken by now, with its ends. */
  get spoken(): readonly SpokenSentence[] {
    return this.#spoken;
  }

  /** What was spoken by now. */
  get text(): string {
    return this.#spoken.map(({ text }) => text).join("");
  }

  /** Milliseconds of sound that were sent. */
  get milliseconds(): number {
    return this.#milliseconds;
  }

  /** Takes the next text. */
  push(text: string): void {
    this.#queue.push(...this.#splitter.push(text));
    this.#start();
  }

  /**
   * Speaks what is left.
   *
   * @throws what speaking throws.
   */
  async finish(): Promise<void> {
    this.#queue.push(this.#splitter.flush());
    this.#start();
    await this.settled();
    if (this.#failure) throw this.#failure.error;
  }

  /** Waits until nothing is spoken any more. */
  async settled(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  #start(): void {
    if (this.#work !== undefined || this.#failure !== undefined) return;
    const fail = (error: unknown): void => {
      this.#failure = { error };
      this.#listener.onFailure(error);
    };
    this.#work = this.#speakAll().catch(fail).finally(() => {
      this.#work = undefined;
      if (this.#queue.length > 0) this.#start(); // what came while the last sentence ended
    });
  }

  async #speakAll(): Promise<void> {
    for (let sentence = this.#queue.shift(); sentence !== undefined; sentence = this.#queue.shift()) {
      this.#options.signal.throwIfAborted();
      if (sentence.trim() === "") this.#say(sentence);
      else await this.#speak(sentence);
    }
  }

  /** A sentence with nothing that can be said, such as a picture, is in the transcript without sound. */
  #say(text: string): void {
    if (text === "") return;
    this.#listener.onSentence(text);
    this.#spoken.push({ text, end: this.#milliseconds });
  }

  async #speak(sentence: string): Promise<void> {
    const { output: { format, voice, speed, model }, speech, signal } = this.#options;
    const prepared = await speech({ model, input: sentence, voice, speed, response_format: "pcm" });
    const rate = AUDIO_RATES[format];
    let resampler: Resampler | undefined;
    let begun = false;
    const send = async (samples: Float32Array): Promise<void> => {
      const part = rate * EVENT_SECONDS;
      for (let at = 0; at < samples.length; at += part) {
        signal.throwIfAborted();
        const some = samples.subarray(at, at + part);
        this.#milliseconds += some.length / rate * 1000;
        const last = this.#spoken.at(-1)!;
        this.#spoken[this.#spoken.length - 1] = { ...last, end: this.#milliseconds };
        await this.#listener.onSound(base64Of(writeLive(some, encodings[format])));
      }
    };
    try {
      await prepared.run({
        onPlan: ({ sampleRate }) => void (resampler = new Resampler(sampleRate, rate)),
        onAudio: async (bytes) => {
          if (!begun) this.#say(sentence);
          begun = true;
          await send(resampler!.push(readLive(bytes, "s16")));
        },
      }, signal);
      if (begun) await send(resampler!.flush());
    } catch (error) {
      const saysNothing = error instanceof SvcError && error.param === "input";
      if (!saysNothing || begun) throw error;
      this.#say(sentence);
    }
  }
}
