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
import { uniformAt } from "../../../protocol/mod.ts";
import {
  argMax,
  drawToken,
  FALLBACK_TEMPERATURES,
  isUnlikely,
  logSumExp,
  repeatedPart,
  repeats,
  withoutRepeats,
} from "../decoding_quality.ts";

/** The parts of a recogniser. */
export interface MoonshineParts {
  readonly encoder: OpenedSession;
  readonly decoder: SpeechDecoder;
  readonly text: (ids: readonly number[]) => string;
  /** Ids of the tokens that start and end a text. */
  readonly start: number;
  readonly end: number;
}

/** The encoder's output, and what else the decoder takes. */
interface EncodedSound {
  readonly hidden: Tensor;
  readonly extra: Readonly<Record<string, Tensor>>;
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
    const sound = await this.encode(samples);
    const limit = Math.min(maxTokens, Math.ceil(samples.length / SPEECH_RATE * TOKENS_A_SECOND) + 4);
    const first = await this.#decode(sound, limit, 0, samples.length, signal);
    if (!first.repeats) return first;
    // As Whisper does: what repeats itself is decoded again with some chance, until it says something likely.
    for (const temperature of FALLBACK_TEMPERATURES.slice(1)) {
      const found = await this.#decode(sound, limit, temperature, samples.length, signal);
      if (!found.repeats && !isUnlikely(found.avgLogprob)) return found;
    }
    const tokens = withoutRepeats(first.tokens);
    const text = this.#parts.text(tokens);
    return { ...first, tokens, text: repeats(text) ? "" : text };
  }

  async #decode(
    { hidden, extra }: EncodedSound,
    limit: number,
    temperature: number,
    seed: number,
    signal: AbortSignal,
  ): Promise<RecognisedPiece & { readonly repeats: boolean }> {
    const { text, end, start, decoder } = this.#parts;
    const tokens: number[] = [];
    let logprobs = 0;
    let step = await decoder.start(hidden, [start], extra);
    for (;;) {
      signal.throwIfAborted();
      const [logits] = step.logits;
      const random = () => uniformAt(seed, tokens.length + Math.round(temperature * 1000) * limit);
      const token = temperature > 0 ? drawToken(logits, temperature, random()) : argMax(logits);
      logprobs += logits[token] - logSumExp(logits);
      tokens.push(token);
      if (token === end || tokens.length === limit || repeatedPart(tokens) !== undefined) break;
      step = await decoder.step(hidden, token, step.cache, extra);
    }
    const said = text(tokens.filter((token) => token !== end));
    const avgLogprob = logprobs / tokens.length;
    return {
      text: said,
      tokens,
      avgLogprob,
      temperature,
      repeats: repeatedPart(tokens) !== undefined || repeats(said),
    };
  }

  /** The encoder's output and the decoder's other inputs. */
  async encode(samples: Float32Array): Promise<EncodedSound> {
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
