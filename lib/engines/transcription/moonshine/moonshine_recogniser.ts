/**
 * The networks of Moonshine.
 *
 * @module
 */
import type { Tensor } from "onnxruntime-node";
import type { OpenedSession } from "../../onnx_sessions/open_session.ts";
import type { SpeechDecoder } from "../speech_decoder.ts";
import { floats, floatTensor, integerTensor, tensorInputs } from "../speech_tensors.ts";
import type { PieceRecogniser, RecognisedPiece } from "../transcribe_pieces.ts";
import { SPEECH_RATE } from "../transcription_model.ts";
import { argMax, logSumExp } from "../whisper/logit_rules.ts";

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

/** Samples behind each of the encoder's frames: the product of the strides of its first layers. */
const FRAME_SAMPLES = 384;

/** Of the tiny model on two cores, four pieces take 0.3 times as long a token, eight no less. */
const TOGETHER = 4;

/** The encoder's output and the decoder's other inputs. */
interface EncodedSound {
  readonly hidden: Tensor;
  readonly extra: Readonly<Record<string, Tensor>>;
}

/** Recognises pieces of sound without features. */
export class MoonshineRecogniser implements PieceRecogniser {
  readonly device: string;
  readonly together: number;
  readonly #parts: MoonshineParts;

  constructor(parts: MoonshineParts) {
    this.#parts = parts;
    this.device = parts.encoder.device;
    // Without a mask, what fills a shorter piece up would be heard.
    this.together = parts.decoder.takes("encoder_attention_mask") ? TOGETHER : 1;
  }

  async recognise(
    pieces: readonly Float32Array[],
    maxTokens: number,
    signal: AbortSignal,
  ): Promise<readonly RecognisedPiece[]> {
    const { decoder, text, end, start } = this.#parts;
    const sound = await this.#encodeAll(pieces, signal);
    const found = pieces.map(({ length }) => ({
      limit: Math.min(maxTokens, Math.ceil(length / SPEECH_RATE * TOKENS_A_SECOND) + 4),
      tokens: [] as number[],
      logprobs: 0,
      done: false,
    }));
    let step = await decoder.start(sound.hidden, [start], sound.extra);
    for (;;) {
      signal.throwIfAborted();
      for (const [i, piece] of found.entries()) {
        if (piece.done) continue;
        const logits = step.logits[i];
        const token = argMax(logits);
        piece.logprobs += logits[token] - logSumExp(logits);
        piece.tokens.push(token);
        piece.done = token === end || piece.tokens.length === piece.limit;
      }
      if (found.every(({ done }) => done)) break;
      const last = found.map(({ done, tokens }) => done ? end : tokens[tokens.length - 1]);
      step = await decoder.step(sound.hidden, last, step.cache, sound.extra);
    }
    return found.map(({ tokens, logprobs }) => ({
      text: text(tokens.filter((token) => token !== end)),
      tokens,
      avgLogprob: logprobs / tokens.length,
    }));
  }

  /**
   * Encodes pieces one by one, then lays them side by side: a shorter one is filled up behind its frames, and the mask,
   * which the decoder reads at the first sample of each frame, tells what is sound.
   */
  async #encodeAll(pieces: readonly Float32Array[], signal: AbortSignal): Promise<EncodedSound> {
    const sounds: EncodedSound[] = [];
    for (const samples of pieces) {
      signal.throwIfAborted();
      sounds.push(await this.encode(samples));
    }
    if (sounds.length === 1) return sounds[0];
    const { runtime } = this.#parts.encoder;
    const frames = sounds.map(({ hidden }) => hidden.dims[1]);
    const width = sounds[0].hidden.dims[2];
    const most = Math.max(...frames);
    const samples = Math.max(...sounds.map(({ extra }) => extra.encoder_attention_mask.dims[1]));
    const hidden = new Float32Array(sounds.length * most * width);
    const mask: number[] = new Array(sounds.length * samples).fill(0);
    for (const [i, sound] of sounds.entries()) {
      hidden.set(floats(sound.hidden), i * most * width);
      mask.fill(1, i * samples, i * samples + Math.min(samples, frames[i] * FRAME_SAMPLES));
    }
    return {
      hidden: floatTensor(runtime, sounds[0].hidden.type, hidden, [sounds.length, most, width]),
      extra: { encoder_attention_mask: integerTensor(runtime, "int64", mask, [sounds.length, samples]) },
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
