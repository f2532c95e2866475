/**
 * The language of a recording.
 *
 * @module
 */
import { logSumExp } from "./logit_rules.ts";
import type { WhisperTokens } from "./whisper_tokens.ts";

/** The likeliest language. */
export interface DetectedLanguage {
  /** Such as `en`. */
  readonly language: string;
  /** Of all languages that the model knows, by code. */
  readonly probabilities: ReadonlyMap<string, number>;
}

/**
 * Uses the logits after the start token; only language tokens count.
 *
 * @param logits Those after that token.
 * @throws {RangeError} when the model knows English only.
 */
export function detectLanguage(logits: Float32Array, { languages }: WhisperTokens): DetectedLanguage {
  const scores = Float32Array.from(languages.values(), (id) => logits[id]);
  const total = logSumExp(scores);
  const probabilities = new Map([...languages.keys()].map((code, i) => [code, Math.exp(scores[i] - total)]));
  const [best] = [...probabilities].sort(([, a], [, b]) => b - a);
  if (best === undefined) throw new RangeError("Cannot detect the language: the model knows English only");
  return { language: best[0], probabilities };
}

/** The probability that a window has no speech, by the logits after the start token. */
export function noSpeechProbability(logits: Float32Array, { noSpeech }: WhisperTokens): number {
  return noSpeech === undefined ? 0 : Math.exp(logits[noSpeech] - logSumExp(logits));
}
