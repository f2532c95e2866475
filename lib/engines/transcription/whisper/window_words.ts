/**
 * The words of a window with their times.
 *
 * @module
 */
import type { Tensor } from "onnxruntime-node";
import type { TranscriptWord } from "../../../protocol/transcription/transcript.ts";
import type { SpeechDecoder } from "../speech_decoder.ts";
import { TIMESTAMP_SECONDS, type WhisperTokens } from "./whisper_tokens.ts";
import { alignTokens, type AttentionHead } from "./word_alignment.ts";

/** The text of a window. */
interface SpokenWindow {
  readonly sound: Tensor;
  /** Frames of 10 ms that have sound. */
  readonly frames: number;
  /** Tokens of its text, without timestamps. */
  readonly text: readonly number[];
  /** Language and task, as they precede the text. */
  readonly task: readonly number[];
  /** Code of its language. */
  readonly language: string | undefined;
}

/** A median above this, in seconds, is of long pauses and not of words. */
const MAX_MEDIAN = 0.7;

const SENTENCE_END = /[.。!！?？]$/;

/** Finds the times of the words, from the start of the window, by running the decoder again with the window's text. */
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
  return words.map(({ text, start, end }) => ({ word: text.trim(), start, end }));
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

/** A word with the tokens that it consists of. */
interface TokenWord {
  readonly text: string;
  readonly tokens: number;
}

/** Languages that write no spaces: each character is a word. */
const WITHOUT_SPACES = new Set(["zh", "ja", "th", "lo", "my", "yue"]);

/** Marks that belong to the word after them, and to the word before them. */
const OPENING = "\"'“¿([{-";
const CLOSING = "\"'.。,，!！?？:：”)]}、";

/** Cuts tokens where characters are whole, then joins the parts of words, and marks with their words. */
function splitWords(
  tokens: readonly number[],
  text: (ids: readonly number[]) => string,
  language: string | undefined,
): TokenWord[] {
  const characters = wholeCharacters(tokens, text);
  const bySpaces = language === undefined || !WITHOUT_SPACES.has(language);
  const words: TokenWord[] = [];
  for (const part of characters) {
    const starts = part.text.startsWith(" ") || /^[\p{P}\p{S}]+$/u.test(part.text.trim());
    const last = words.at(-1);
    if (last === undefined || !bySpaces || starts) words.push(part);
    else words[words.length - 1] = joined(last, part);
  }
  return joinMarks(words);
}

function wholeCharacters(tokens: readonly number[], text: (ids: readonly number[]) => string): TokenWord[] {
  const parts: TokenWord[] = [];
  let waiting: number[] = [];
  for (const token of tokens) {
    waiting.push(token);
    const written = text(waiting);
    // A character has four bytes at most; longer invalid sequences stay unchanged.
    if (written.includes("\ufffd") && waiting.length < 4) continue;
    parts.push({ text: written, tokens: waiting.length });
    waiting = [];
  }
  if (waiting.length > 0) parts.push({ text: text(waiting), tokens: waiting.length });
  return parts;
}

function joinMarks(words: readonly TokenWord[]): TokenWord[] {
  const found: TokenWord[] = [];
  let opening: TokenWord | undefined;
  for (const word of words) {
    const bare = word.text.trim();
    const last = found.at(-1);
    if (bare.length === 1 && word.text.startsWith(" ") && OPENING.includes(bare)) {
      opening = opening === undefined ? word : joined(opening, word);
    } else if (opening !== undefined) {
      found.push(joined(opening, word));
      opening = undefined;
    } else if (last !== undefined && bare.length === 1 && !last.text.endsWith(" ") && CLOSING.includes(bare)) {
      found[found.length - 1] = joined(last, word);
    } else found.push(word);
  }
  return opening === undefined ? found : [...found, opening];
}

function joined(a: TokenWord, b: TokenWord): TokenWord {
  return { text: a.text + b.text, tokens: a.tokens + b.tokens };
}
