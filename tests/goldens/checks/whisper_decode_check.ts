/**
 * Check of the decoding rules of Whisper against `whisper_decode.json.br`.
 *
 * @module
 */
import * as v from "valibot";
import {
  argMax,
  compressionRatio,
  isSilence,
  logSumExp,
  meanLogprob,
  needsFallback,
} from "../../../lib/engines/transcription/decoding_quality.ts";
import {
  applyLogitRules,
  detectLanguage,
  noSpeechProbability,
  type WhisperTokens,
} from "../../../lib/engines/transcription/whisper/whisper_tokens.ts";
import { splitWindow } from "../../../lib/engines/transcription/whisper/split_window.ts";
import { type Comparison, largestDifference } from "../golden.ts";

const PROBABILITY = 1e-4;
const SECONDS = 1e-3;
const numbers = v.array(v.number());

const fileSchema = v.object({
  ids: v.object({
    eot: v.number(),
    sot: v.number(),
    languages: v.record(v.string(), v.number()),
    translate: v.number(),
    transcribe: v.number(),
    startofprev: v.number(),
    no_speech: v.number(),
    no_timestamps: v.number(),
    timestamp_begin: v.number(),
    max_initial_timestamp_index: v.number(),
  }),
  suppress_tokens: numbers,
  begin_suppress_tokens: numbers,
  processors: v.array(v.object({
    prefix: numbers,
    timestamps: v.boolean(),
    logits: numbers,
    allowed: numbers,
    argmax: v.number(),
    logprob_of_argmax: v.number(),
  })),
  languages: v.array(v.object({
    logits_after_sot: numbers,
    language: v.string(),
    token: v.number(),
    probabilities: v.record(v.string(), v.number()),
    no_speech_prob: v.number(),
  })),
  segments: v.array(v.object({
    tokens: numbers,
    window_start_seconds: v.number(),
    window_frames: v.number(),
    segments: v.array(v.object({ start: v.number(), end: v.number(), text_tokens: numbers })),
    kept: numbers,
    advance_frames: v.number(),
  })),
  avg_logprob: v.array(v.object({ step_logprobs: numbers, avg_logprob: v.number() })),
  compression: v.array(v.object({ text: v.string(), compression_ratio: v.number() })),
  fallback: v.array(v.object({
    avg_logprob: v.number(),
    compression_ratio: v.number(),
    no_speech_prob: v.number(),
    again_with_higher_temperature: v.boolean(),
    drop_as_silence: v.boolean(),
  })),
});

/** Every case of every rule. */
export function checkWhisperDecode(json: unknown): Comparison[] {
  const file = v.parse(fileSchema, json);
  const tokens: WhisperTokens = {
    end: file.ids.eot,
    start: file.ids.sot,
    transcribe: file.ids.transcribe,
    translate: file.ids.translate,
    previous: file.ids.startofprev,
    noSpeech: file.ids.no_speech,
    noTimestamps: file.ids.no_timestamps,
    timestampBegin: file.ids.timestamp_begin,
    languages: new Map(Object.entries(file.ids.languages)),
    suppressed: file.suppress_tokens,
    suppressedFirst: file.begin_suppress_tokens,
    maxInitialTimestamp: file.ids.max_initial_timestamp_index,
  };
  const found: Comparison[] = [];
  const add = (name: string, actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 0) =>
    void found.push({ name, maxAbs: largestDifference(actual, expected), tolerance });
  for (const [i, one] of file.processors.entries()) {
    const logits = Float32Array.from(one.logits);
    applyLogitRules(logits, tokens, one.prefix, one.timestamps);
    const best = argMax(logits);
    add(`processors ${i} allowed`, [...logits.keys()].filter((id) => logits[id] !== -Infinity), one.allowed);
    add(`processors ${i} argmax`, [best], [one.argmax]);
    add(`processors ${i} logprob`, [logits[best] - logSumExp(logits)], [one.logprob_of_argmax], PROBABILITY);
  }
  for (const [i, one] of file.languages.entries()) {
    const logits = Float32Array.from(one.logits_after_sot);
    const { language, probabilities } = detectLanguage(logits, tokens);
    const codes = Object.keys(one.probabilities);
    add(`languages ${i}`, [tokens.languages.get(language) ?? -1], [one.token]);
    add(
      `languages ${i} probabilities`,
      codes.map((code) => probabilities.get(code) ?? NaN),
      Object.values(one.probabilities),
      PROBABILITY,
    );
    add(`languages ${i} no speech`, [noSpeechProbability(logits, tokens)], [one.no_speech_prob], PROBABILITY);
  }
  for (const [i, one] of file.segments.entries()) {
    const split = splitWindow(one.tokens, one.window_start_seconds, one.window_frames, tokens);
    const times = (list: readonly { start: number; end: number }[]) => list.flatMap(({ start, end }) => [start, end]);
    const kept = split.segments.flatMap(({ start, end, textTokens }, at) =>
      end > start && textTokens.length ? [at] : []
    );
    add(`segments ${i} times`, times(split.segments), times(one.segments), SECONDS);
    add(
      `segments ${i} text`,
      split.segments.flatMap((s) => [...s.textTokens, -1]),
      one.segments.flatMap((s) => [...s.text_tokens, -1]),
    );
    add(`segments ${i} kept`, kept, one.kept);
    add(`segments ${i} advance`, [split.advance], [one.advance_frames]);
  }
  for (const [i, one] of file.avg_logprob.entries()) {
    add(`avg_logprob ${i}`, [meanLogprob(one.step_logprobs)], [one.avg_logprob], PROBABILITY);
  }
  for (const [i, one] of file.compression.entries()) {
    const ratio = compressionRatio(one.text);
    add(`compression ${i}`, [ratio], [one.compression_ratio], 0.05 * one.compression_ratio);
  }
  for (const [i, one] of file.fallback.entries()) {
    const quality = {
      avgLogprob: one.avg_logprob,
      compressionRatio: one.compression_ratio,
      noSpeechProb: one.no_speech_prob,
    };
    const expected = [one.again_with_higher_temperature, one.drop_as_silence].map(Number);
    add(`fallback ${i}`, [needsFallback(quality), isSilence(quality)].map(Number), expected);
  }
  return found;
}
