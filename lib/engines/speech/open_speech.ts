/**
 * What a speech model does in its process.
 *
 * @module
 */
import {
  type AudioEncoder,
  type AudioEncoderOptions,
  type AudioFormat,
  isCompressed,
} from "../../media/audio/encoding/audio_encoder.ts";
import { openAudioEncoder } from "../../media/audio/encoding/open_audio_encoder.ts";
import { joinBytes } from "../../media/images/bytes.ts";
import { runProcess } from "../../platform/processes/run_process.ts";
import type { OpenedEngine } from "../contract/engine_entry.ts";
import { handle, type OperationCall } from "../contract/operation.ts";
import type { SpeechModel, SpeechOutcome } from "../contract/speech_model.ts";
import { encoderMissing, speak, type SpeechEvent, type SpeechOrder } from "./speech_operations.ts";

/** A speech model with its operation. */
export function openSpeech(model: SpeechModel): OpenedEngine {
  const spares = new SpareEncoders(model.profile.sampleRate);
  const close = async () => {
    await spares.close();
    await model.close();
  };
  const speaking = handle(speak, (order, call) => speakEncoded(model, spares, order, call));
  return { kind: "operations", model: { ...model, close }, operations: speaking };
}

/** Receives the bytes of an encoder. */
type OnBytes = (bytes: Uint8Array<ArrayBuffer>) => void;

/** An encoder that has started, or is starting, before anybody has sound for it. */
interface StartedEncoder {
  readonly encoder: Promise<AudioEncoder>;
  /** Says where its bytes go, those that have been written as well. */
  listen(onBytes: OnBytes): void;
}

/**
 * Encoders of compressed formats. Their threads take longer to start than a short sentence to be made, so each request
 * leaves a started one for the next that wants its format.
 */
class SpareEncoders {
  readonly #sampleRate: number;
  #spare: { readonly format: AudioFormat; readonly started: StartedEncoder } | undefined;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /** An encoder for a request; it may still be starting. */
  take(format: AudioFormat, onBytes: OnBytes): Promise<AudioEncoder> {
    const spare = this.#spare?.format === format ? this.#spare : undefined;
    if (spare !== undefined) this.#spare = undefined;
    const { encoder, listen } = spare?.started ?? this.#start(format);
    listen(onBytes);
    return encoder;
  }

  /** Starts one for the next request in place of the one there is. */
  async leave(format: AudioFormat): Promise<void> {
    if (this.#spare?.format === format) return;
    const before = this.#spare;
    const spare = this.#spare = { format, started: this.#start(format) };
    spare.started.encoder.catch(() => this.#spare === spare && (this.#spare = undefined));
    await cancel(before?.started.encoder);
  }

  async close(): Promise<void> {
    await cancel(this.#spare?.started.encoder);
    this.#spare = undefined;
  }

  #start(format: AudioFormat): StartedEncoder {
    const early: Uint8Array<ArrayBuffer>[] = [];
    let onBytes: OnBytes = (bytes) => void early.push(bytes);
    const encoder = openEncoder(format, { sampleRate: this.#sampleRate, onBytes: (bytes) => onBytes(bytes) });
    encoder.then((opened) => opened.prepare()).catch(() => {}); // what fails here fails again with the first sound
    const listen = (listener: OnBytes): void => {
      early.splice(0).forEach(listener);
      onBytes = listener;
    };
    return { encoder, listen };
  }
}

async function cancel(encoder: Promise<AudioEncoder> | undefined): Promise<void> {
  await (await encoder?.catch(() => undefined))?.cancel();
}

/** @throws {SvcError} `audio_encoder_missing`. */
async function openEncoder(format: AudioFormat, options: AudioEncoderOptions): Promise<AudioEncoder> {
  const opened = await openAudioEncoder(format, options, runProcess);
  if (opened.ok) return opened.encoder;
  throw encoderMissing(opened);
}

/**
 * Encodes here what the model speaks, so that little is sent and the server only passes it on. Bytes are sent as the
 * encoder makes them. A sentence counts as taken when its bytes are, so that a slow server slows the model down.
 */
async function speakEncoded(
  model: SpeechModel,
  spares: SpareEncoders,
  { format, ...request }: SpeechOrder,
  call: OperationCall<SpeechEvent>,
): Promise<SpeechOutcome> {
  const sound = new SoundOutbox(call);
  const { sampleRate } = model.profile;
  const onBytes = (bytes: Uint8Array) => sound.push(bytes);
  // Encoders that take a while to start do so while the first sentence is made; the others may know the length by then.
  let encoder = isCompressed(format) ? spares.take(format, onBytes) : undefined;
  encoder?.catch(() => {}); // it is awaited with the first sound
  let sentences = 1;
  try {
    const outcome = await model.speak(request, {
      onPlan: (plan) => {
        sentences = plan.sentences;
        sound.send({ kind: "plan", plan });
      },
      onSentence: async ({ sentence, samples, last }) => {
        encoder ??= openEncoder(format, { sampleRate, length: last ? samples.length : undefined, onBytes });
        const opened = await encoder;
        sound.fraction = (sentence + 1) / sentences;
        call.progress(sound.fraction, `sentence ${sentence + 1} of ${sentences}`);
        await opened.push(samples);
        await sound.drain();
      },
    }, call.signal);
    await (await encoder)?.finish();
    await sound.drain();
    encoder = undefined;
    return outcome;
  } finally {
    await cancel(encoder);
    if (isCompressed(format)) await spares.leave(format);
  }
}

/** Sends events and sound in their order: what is encoded while the last bytes are on their way goes together. */
class SoundOutbox {
  /** Of the text that is spoken with the next bytes; nothing is sent before there is any. */
  fraction = 0;
  readonly #call: OperationCall<SpeechEvent>;
  readonly #parts: Uint8Array[] = [];
  #sending: Promise<void> = Promise.resolve();
  #isWaiting = false;

  constructor(call: OperationCall<SpeechEvent>) {
    this.#call = call;
  }

  send(event: SpeechEvent): void {
    this.#sending = this.#sending.then(() => this.#call.send(event));
    this.#sending.catch(() => {}); // `drain` throws it
  }

  /** Takes the next bytes. Headers that are written before all sound go with it. */
  push(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    if (this.fraction > 0) this.#wake();
  }

  /** Resolves when everything was taken. Throws what sending throws. */
  async drain(): Promise<void> {
    if (this.#parts.length > 0) this.#wake();
    await this.#sending;
  }

  #wake(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#sending = this.#sending.then(async () => {
      this.#isWaiting = false;
      await this.#call.send({ kind: "audio", bytes: joinBytes(this.#parts.splice(0)), fraction: this.fraction });
    });
    this.#sending.catch(() => {}); // `drain` throws it
  }
}
