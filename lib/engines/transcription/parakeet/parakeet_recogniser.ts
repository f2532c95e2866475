/**
 * The networks of Parakeet.
 *
 * @module
 */
import type { Tensor } from "onnxruntime-node";
import type { OpenedSession } from "../../onnx_sessions/open_session.ts";
import type { NemoFeatures } from "./nemo_features.ts";
import { floats, floatTensor, integerTensor, tensorInputs } from "../speech_decoder.ts";
import type { PieceRecogniser, RecognisedPiece } from "../transcribe_pieces.ts";
import { meanLogprob } from "../decoding_quality.ts";
import { type ParakeetVocabulary, tokenText, tokenWords } from "./parakeet_files.ts";
import { decodeTransducer, type TransducerJoint } from "./tdt_decode.ts";

/** The parts of a recogniser. */
export interface ParakeetParts {
  readonly encoder: OpenedSession;
  readonly decoder: OpenedSession;
  readonly features: NemoFeatures;
  readonly vocabulary: ParakeetVocabulary;
  /** Frames of sound in one of the encoder. */
  readonly subsampling: number;
  readonly maxTokensPerFrame: number;
}

/** Shorter sound has too few frames to normalise. */
const MIN_SAMPLES = 1600;

/** Seconds of a frame of the features. */
const FRAME_SECONDS = 0.01;

/** The state of the prediction network. */
interface PredictionState {
  readonly first: Tensor;
  readonly second: Tensor;
}

/** Recognises pieces of sound, with the time of each token. */
export class ParakeetRecogniser implements PieceRecogniser {
  readonly device: string;
  readonly #parts: ParakeetParts;

  constructor(parts: ParakeetParts) {
    this.#parts = parts;
    this.device = parts.encoder.device;
  }

  async recognise(samples: Float32Array, maxTokens: number, signal: AbortSignal): Promise<RecognisedPiece> {
    const { vocabulary, maxTokensPerFrame, subsampling } = this.#parts;
    const { data, width, frames } = await this.#encode(samples);
    const joint = this.#joint(data, width);
    const kept = await decodeTransducer(
      joint,
      { frames, blank: vocabulary.blank, maxTokensPerFrame, maxTokens },
      signal,
    );
    const second = FRAME_SECONDS * subsampling;
    const end = samples.length / 16_000;
    const timed = kept.map(({ id, frame, duration }) => ({
      id,
      start: Math.min(frame * second, end),
      end: Math.min((frame + Math.max(duration, 1)) * second, end),
    }));
    const tokens = kept.map(({ id }) => id);
    return {
      text: tokenText(vocabulary, tokens),
      tokens,
      avgLogprob: meanLogprob(kept.map(({ logprob }) => logprob)),
      words: tokenWords(vocabulary, timed),
    };
  }

  async close(): Promise<void> {
    await this.#parts.encoder.session.release();
    await this.#parts.decoder.session.release();
  }

  /** [frames, width] */
  async #encode(
    samples: Float32Array,
  ): Promise<{ readonly data: Float32Array; readonly width: number; readonly frames: number }> {
    const { encoder: { runtime, session }, features } = this.#parts;
    const padded = new Float32Array(Math.max(samples.length, MIN_SAMPLES));
    padded.set(samples);
    const { data, frames, valid } = features.compute(padded);
    const inputs = tensorInputs(session);
    const { outputs, encoded_lengths: lengths } = await session.run({
      audio_signal: floatTensor(runtime, inputs.get("audio_signal")?.type, data, [1, features.mels, frames]),
      length: integerTensor(runtime, inputs.get("length")?.type, [valid], [1]),
    });
    const [, width, places] = outputs.dims;
    const encoded = floats(outputs);
    const rows = new Float32Array(places * width);
    for (let i = 0; i < width; i++) for (let j = 0; j < places; j++) rows[j * width + i] = encoded[i * places + j];
    return { data: rows, width, frames: Math.min(Number(lengths.data[0]), places) };
  }

  #joint(encoded: Float32Array, width: number): TransducerJoint<PredictionState> {
    const { decoder: { runtime, session }, vocabulary } = this.#parts;
    const inputs = tensorInputs(session);
    const zeros = (name: string): Tensor => {
      const [layers, , size] = inputs.get(name)?.shape ?? [];
      const dims = [typeof layers === "number" ? layers : 2, 1, typeof size === "number" ? size : 640];
      return floatTensor(runtime, inputs.get(name)?.type, new Float32Array(dims[0] * dims[2]), dims);
    };
    const whole = (name: string, value: number, dims: readonly number[]) =>
      integerTensor(runtime, inputs.get(name)?.type, [value], dims);
    const count = vocabulary.tokens.length;
    return {
      start: { first: zeros("input_states_1"), second: zeros("input_states_2") },
      async step(frame, token, state) {
        const sound = encoded.slice(frame * width, (frame + 1) * width);
        const results = await session.run({
          encoder_outputs: floatTensor(runtime, inputs.get("encoder_outputs")?.type, sound, [1, width, 1]),
          targets: whole("targets", token, [1, 1]),
          target_length: whole("target_length", 1, [1]),
          input_states_1: state.first,
          input_states_2: state.second,
        }, ["outputs", "output_states_1", "output_states_2"]);
        const logits = floats(results.outputs);
        return {
          tokens: logits.subarray(0, count),
          durations: logits.subarray(count),
          state: { first: results.output_states_1, second: results.output_states_2 },
        };
      },
    };
  }
}
