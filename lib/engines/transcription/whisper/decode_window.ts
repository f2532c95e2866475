/**
 * A window of sound to tokens.
 *
 * @module
 */
import type { Tensor } from "onnxruntime-node";
import { uniformAt } from "../../../protocol/mod.ts";
import {
  argMax,
  compressionRatio,
  drawToken,
  FALLBACK_TEMPERATURES,
  logSumExp,
  meanLogprob,
  needsFallback,
  type WindowQuality,
} from "../decoding_quality.ts";
import { applyLogitRules, noSpeechProbability, type WhisperTokens } from "./whisper_tokens.ts";
import type { OpenedSession } from "../../onnx_sessions/open_session.ts";
import type { WhisperFeatures } from "./whisper_features.ts";
import { floatTensor, type SpeechDecoder, tensorInputs } from "../speech_decoder.ts";

/** How a window is decoded. */
interface WindowRequest {
  readonly sound: Tensor;
  /** Tokens of earlier windows. */
  readonly previous: readonly number[];
  /** Language and task; empty for English-only models. */
  readonly task: readonly number[];
  /** See `TranscriptionRequest.temperature`. */
  readonly temperature: number;
  readonly maxTokens: number;
  /** Equal seeds sample equal tokens. */
  readonly seed: number;
}

/** The decoded window. */
export interface DecodedWindow extends WindowQuality {
  /** Without the end token. */
  readonly tokens: readonly number[];
  readonly temperature: number;
}

/** Decodes a window, again at higher temperatures while the result is unreliable. */
export async function decodeWindow(
  network: WhisperNetwork,
  tokens: WhisperTokens,
  text: (ids: readonly number[]) => string,
  request: WindowRequest,
  signal: AbortSignal,
): Promise<DecodedWindow> {
  const temperatures = request.temperature > 0 ? [request.temperature] : FALLBACK_TEMPERATURES;
  let decoded: DecodedWindow | undefined;
  for (const temperature of temperatures) {
    const found = await decodeOnce(network, tokens, request, temperature, signal);
    const ratio = compressionRatio(text(found.tokens.filter((token) => token < tokens.end)).trim());
    decoded = { ...found, temperature, compressionRatio: ratio };
    if (!needsFallback(decoded)) break;
  }
  return decoded as DecodedWindow;
}

async function decodeOnce(
  { decoder, context }: WhisperNetwork,
  tokens: WhisperTokens,
  { sound, previous, task, maxTokens, seed }: WindowRequest,
  temperature: number,
  signal: AbortSignal,
): Promise<Omit<DecodedWindow, "temperature" | "compressionRatio">> {
  const half = Math.floor(context / 2);
  const before = tokens.previous !== undefined && previous.length > 0
    ? [tokens.previous, ...previous.slice(-(half - 1))]
    : [];
  const prompt = [...before, tokens.start, ...task];
  const limit = Math.max(Math.min(maxTokens, half, context - prompt.length), 1);
  const chosen: number[] = [];
  const logprobs: number[] = [];
  let step = await decoder.start(sound, prompt, {});
  const noSpeechProb = noSpeechProbability(step.logits[before.length], tokens);
  for (;;) {
    signal.throwIfAborted();
    const logits = step.logits[step.logits.length - 1].slice();
    applyLogitRules(logits, tokens, chosen, true);
    const best = temperature > 0
      ? drawToken(logits, temperature, uniformAt(seed, chosen.length + Math.round(temperature * 1000) * context))
      : argMax(logits);
    // NaN logits end the text.
    const token = best < 0 ? tokens.end : best;
    logprobs.push(best < 0 ? 0 : logits[token] - logSumExp(logits));
    if (token === tokens.end) break;
    chosen.push(token);
    if (chosen.length === limit) break;
    step = await decoder.step(sound, token, step.cache, {});
  }
  return { tokens: chosen, avgLogprob: meanLogprob(logprobs), noSpeechProb };
}

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
