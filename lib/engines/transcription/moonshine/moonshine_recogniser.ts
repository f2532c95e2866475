/**
 * The networks of Moonshine.
 *
 * @module
 */
import type { Tensor } from "onnxruntime-node";
import type { OpenedSession } from "../../onnx_sessions/open_session.ts";
import { floatTensor, integerTensor, type SpeechDecoder, tensorInputs } from "../speech_decoder.ts";
import type { PieceRecogniser, RecognisedPiece } from "../transcribe_pieces.ts";
import { SPEECH_RATE } from "../../contract/transcription_model.ts";
import { argMax, logSumExp } from "../decoding_quality.ts";

/** The parts of a recogniser. */
export interface MoonshineParts {
  readonly encoder: OpenedSession;
  readonly decoder: SpeechDecoder;
  readonly text: (ids: readonly number[]) => string;
  /** Ids of the tokens that start and end a text. */
  readonly start: number;
  readonly end: number;
}

/** Shorter sound is too short for the first layers. */
const MIN_SAMPLES = SPEECH_RATE / 4;

/** Faster than any speech; more tokens are repetitions. */
const TOKENS_A_SECOND = 8;

/** Recognises pieces of sound without features. */
export class MoonshineRecogniser implements PieceRecogniser {
  readonly device: string;
  readonly #parts: MoonshineParts;

  constructor(parts: MoonshineParts) {
    this.#parts = parts;
    this.device = parts.encoder.device;
  }

  async recognise(samples: Float32Array, maxTokens: number, signal: AbortSignal): Promise<RecognisedPiece> {
    const { text, end, start } = this.#parts;
    const sound = await this.encode(samples);
    const limit = Math.min(maxTokens, Math.ceil(samples.length / SPEECH_RATE * TOKENS_A_SECOND) + 4);
    const tokens: number[] = [];
    let logprobs = 0;
    let step = await this.#parts.decoder.start(sound.hidden, [start], sound.extra);
    for (;;) {
      signal.throwIfAborted();
      const [logits] = step.logits;
      const token = argMax(logits);
      logprobs += logits[token] - logSumExp(logits);
      tokens.push(token);
      if (token === end || tokens.length === limit) break;
      step = await this.#parts.decoder.step(sound.hidden, token, step.cache, sound.extra);
    }
    const said = tokens.filter((token) => token !== end);
    return { text: text(said), tokens, avgLogprob: logprobs / tokens.length };
  }

  /** The encoder's output and the decoder's other inputs. */
  async encode(
    samples: Float32Array,
  ): Promise<{ readonly hidden: Tensor; readonly extra: Readonly<Record<string, Tensor>> }> {
    const { runtime, session } = this.#parts.encoder;
    const inputs = tensorInputs(session);
    const padded = new Float32Array(Math.max(samples.length, MIN_SAMPLES));
    padded.set(samples);
    const dims = [1, padded.length];
    const mask = integerTensor(runtime, "int64", new Array(padded.length).fill(1), dims);
    const { last_hidden_state: hidden } = await session.run({
      input_values: floatTensor(runtime, inputs.get("input_values")?.type, padded, dims),
      ...inputs.has("attention_mask") && { attention_mask: mask },
    });
    // The decoder counts the sound in samples.
    return { hidden, extra: { encoder_attention_mask: mask } };
  }

  async close(): Promise<void> {
    await this.#parts.encoder.session.release();
    await this.#parts.decoder.close();
  }
}
