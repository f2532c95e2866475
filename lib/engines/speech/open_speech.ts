/**
 * What a speech model does in its process.
 *
 * @module
 */
import { type AudioEncoder, isCompressed } from "../../media/audio/encoding/audio_encoder.ts";
import { openAudioEncoder } from "../../media/audio/encoding/open_audio_encoder.ts";
import { joinBytes } from "../../media/images/bytes.ts";
import { runProcess } from "../../platform/processes/run_process.ts";
import type { OpenedEngine } from "../contract/engine_entry.ts";
import { handle, type OperationCall } from "../contract/operation.ts";
import type { SpeechModel, SpeechOutcome } from "../contract/speech_model.ts";
import { encoderMissing, speak, type SpeechEvent, type SpeechOrder } from "./speech_operations.ts";

/** A speech model with its operation. */
export function openSpeech(model: SpeechModel): OpenedEngine {
  return { kind: "operations", model, operations: handle(speak, (order, call) => speakEncoded(model, order, call)) };
}

/**
 * Encodes here what the model speaks, so that little is sent and the server only passes it on. Bytes are sent as the
 * encoder makes them. A sentence counts as taken when its bytes are, so that a slow server slows the model down.
 */
async function speakEncoded(
  model: SpeechModel,
  { format, ...request }: SpeechOrder,
  call: OperationCall<SpeechEvent>,
): Promise<SpeechOutcome> {
  const sound = new SoundOutbox(call);
  const { sampleRate } = model.profile;
  const open = async (length: number | undefined): Promise<AudioEncoder> => {
    const options = { sampleRate, length, onBytes: (bytes: Uint8Array) => sound.push(bytes) };
    const opened = await openAudioEncoder(format, options, runProcess);
    if (!opened.ok) throw encoderMissing(opened);
    opened.encoder.prepare().catch(() => {}); // what fails here fails again with the first sound
    return opened.encoder;
  };
  // Encoders that take a while to start do so while the first sentence is made; the others may know the length by then.
  let encoder = isCompressed(format) ? open(undefined) : undefined;
  encoder?.catch(() => {}); // it is awaited with the first sound
  let sentences = 1;
  try {
    const outcome = await model.speak(request, {
      onPlan: (plan) => {
        sentences = plan.sentences;
        sound.send({ kind: "plan", plan });
      },
      onSentence: async ({ sentence, samples, last }) => {
        encoder ??= open(last ? samples.length : undefined);
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
    await (await encoder?.catch(() => undefined))?.cancel();
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
