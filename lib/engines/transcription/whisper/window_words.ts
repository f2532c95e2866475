/**
 * Times of the words of a window.
 *
 * @module
 */
import type { Tensor } from "onnxruntime-node";
import type { TranscriptWord } from "../../../protocol/transcription/transcript.ts";
import type { SpeechDecoder } from "../speech_decoder.ts";
import { splitWords } from "./split_words.ts";
import { TIMESTAMP_SECONDS, type WhisperTokens } from "./whisper_tokens.ts";
import { alignTokens, type AttentionHead } from "./word_alignment.ts";

/** The text of a window. */
export interface SpokenWindow {
  readonly sound: Tensor;
  /** Seconds. */
  readonly start: number;
  /** Frames of 10 ms that have sound. */
  readonly frames: number;
  /** Tokens of its text, without timestamps. */
  readonly text: readonly number[];
  /** Language and task, as they stand before the text. */
  readonly task: readonly number[];
  /** Code of its language. */
  readonly language: string | undefined;
}

/** A median above this, in seconds, is of long pauses and not of words. */
const MAX_MEDIAN = 0.7;

const SENTENCE_END = /[.。!！?？]$/;

/** Finds the times of the words by running the decoder again with the window's text. */
export async function windowWords(
  decoder: SpeechDecoder,
  heads: readonly AttentionHead[],
  tokens: WhisperTokens,
  textOf: (ids: readonly number[]) => string,
  window: SpokenWindow,
): Promise<TranscriptWord[]> {
  if (window.text.length === 0) return [];
  const prompt = [tokens.start, ...window.task];
  const { attentions } = await decoder.attend(window.sound, [
    ...prompt,
    tokens.noTimestamps,
    ...window.text,
    tokens.end,
  ]);
  const width = attentions[0].dims[2];
  const frames = Math.min(Math.max(Math.ceil(window.frames / 2), 1), width);
  const first = alignTokens(attentions, heads, prompt.length, frames);
  const words: { text: string; start: number; end: number }[] = [];
  let at = 0;
  for (const { text, tokens: count } of splitWords(window.text, textOf, window.language)) {
    words.push({ text, start: first[at] * TIMESTAMP_SECONDS, end: first[at += count] * TIMESTAMP_SECONDS });
  }
  limitDurations(words);
  return words.map(({ text, start, end }) => ({
    word: text.trim(),
    start: window.start + start,
    end: window.start + end,
  }));
}

/** A word at the edge of a sentence would else last through the pause. */
function limitDurations(words: { text: string; start: number; end: number }[]): void {
  const durations = words.map(({ start, end }) => end - start).filter((seconds) => seconds > 0).sort((a, b) => a - b);
  if (durations.length === 0) return;
  const middle = durations.length >> 1;
  const median = durations.length % 2 ? durations[middle] : (durations[middle - 1] + durations[middle]) / 2;
  const longest = 2 * Math.min(median, MAX_MEDIAN);
  for (const [i, word] of words.entries()) {
    if (i === 0 || word.end - word.start <= longest) continue;
    if (SENTENCE_END.test(word.text)) word.end = word.start + longest;
    else if (SENTENCE_END.test(words[i - 1].text)) word.start = word.end - longest;
  }
}
