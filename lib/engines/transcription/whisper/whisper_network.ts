/**
 * The networks of Whisper.
 *
 * @module
 */
import type { Tensor } from "onnxruntime-node";
import type { OpenedSession } from "../../onnx_sessions/open_session.ts";
import type { WhisperFeatures } from "../features/whisper_features.ts";
import type { SpeechDecoder } from "../speech_decoder.ts";
import { floatTensor, tensorInputs } from "../speech_tensors.ts";

/** An encoder, a decoder and what belongs to them. */
export interface WhisperNetwork {
  readonly encoder: OpenedSession;
  readonly decoder: SpeechDecoder;
  readonly features: WhisperFeatures;
  /** Tokens that the decoder takes at most. */
  readonly context: number;
}

/** The encoder's output for a window: [1, frames / 2, width]. */
export async function encodeWindow({ encoder, features }: WhisperNetwork, samples: Float32Array): Promise<Tensor> {
  const { runtime, session } = encoder;
  const type = tensorInputs(session).get("input_features")?.type;
  const dims = [1, features.sizes.mels, features.frames];
  const input = floatTensor(runtime, type, features.compute(samples), dims);
  const { last_hidden_state: sound } = await session.run({ input_features: input }, ["last_hidden_state"]);
  return sound;
}
