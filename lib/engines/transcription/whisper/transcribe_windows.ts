/**
 * Transcription window by window, as Whisper's authors do it.
 *
 * @module
 */
import type { Tensor } from "onnxruntime-node";
import type { Transcript, TranscriptSegment, TranscriptWord } from "../../../protocol/transcription/transcript.ts";
import {
  SPEECH_RATE,
  type TranscriptionListener,
  type TranscriptionRequest,
} from "../../contract/transcription_model.ts";
import { type DecodedWindow, decodeWindow, encodeWindow, type WhisperNetwork } from "./decode_window.ts";
import { detectLanguage, type WhisperTokens } from "./whisper_tokens.ts";
import { splitWindow, type WindowSegment } from "./split_window.ts";
import { isSilence } from "../decoding_quality.ts";
import { windowWords } from "./window_words.ts";
import { withoutPauses } from "../word_pauses.ts";
import type { AttentionHead } from "./word_alignment.ts";

/** A model with its tokens. */
interface WhisperParts {
  readonly network: WhisperNetwork;
  readonly tokens: WhisperTokens;
  /** Heads that follow the sound. */
  readonly heads: readonly AttentionHead[];
  readonly text: (ids: readonly number[]) => string;
  readonly encode: (text: string) => readonly number[];
}

/** Text that was drawn at a higher temperature does not help the next window. */
const MAX_KEPT_TEMPERATURE = 0.5;

/** Sound below this is silence: -65 dB of full scale. */
const SILENT = 10 ** (-65 / 20);

/** Transcribes a recording in windows; each begins where the last segment of the one before it ended. */
export async function transcribeWindows(
  parts: WhisperParts,
  request: TranscriptionRequest,
  signal: AbortSignal,
  listener: TranscriptionListener,
): Promise<Transcript> {
  const { network, tokens } = parts;
  const { hop } = network.features.sizes;
  const window = new SampleWindow(request.samples);
  const segments: TranscriptSegment[] = [];
  const words: TranscriptWord[] = [];
  const prompt = request.prompt?.trim() ? parts.encode(` ${request.prompt.trim()}`) : [];
  let previous = [...prompt];
  let language = tokens.languages.size === 0 ? "en" : request.language;
  /** The start of the recording, from which the language of silence is detected. */
  let first: Float32Array | undefined;
  try {
    for (let seek = 0;;) {
      signal.throwIfAborted();
      const samples = await window.read(seek * hop, network.features.frames * hop);
      const frames = Math.floor(samples.length / hop);
      if (frames === 0) break;
      const start = seek * hop / SPEECH_RATE;
      first ??= samples.slice();
      if (samples.every((value) => Math.abs(value) < SILENT)) {
        seek += frames;
        listener.onProgress(seek * hop / SPEECH_RATE);
        continue;
      }
      const sound = await encodeWindow(network, samples);
      signal.throwIfAborted();
      if (language === undefined) {
        language = await languageOf(network, tokens, sound);
      }
      const task = taskTokens(tokens, language, request.task);
      const decoded = await decodeWindow(network, tokens, parts.text, {
        sound,
        previous,
        task,
        temperature: request.temperature ?? 0,
        maxTokens: request.maxTokens,
        seed: seek,
      }, signal);
      if (isSilence(decoded)) {
        seek += frames;
        listener.onProgress(seek * hop / SPEECH_RATE);
        continue;
      }
      const split = splitWindow(decoded.tokens, start, frames, tokens);
      const kept = split.segments.filter((segment) =>
        segment.end > segment.start && parts.text(segment.textTokens).trim() !== ""
      );
      const end = start + samples.length / SPEECH_RATE;
      for (const segment of kept) {
        const reported = toSegment(parts, segment, decoded, seek, end);
        segments.push(reported);
        listener.onSegment(reported);
      }
      if (request.words) {
        const text = kept.flatMap(({ textTokens }) => textTokens);
        const spoken = { sound, frames, text, task, language };
        const found = await windowWords(network.decoder, parts.heads, tokens, parts.text, spoken);
        for (const { word, ...times } of withoutPauses(found, samples)) {
          words.push({ word, start: start + times.start, end: start + times.end });
        }
      }
      if (decoded.temperature > MAX_KEPT_TEMPERATURE) previous = [];
      else previous.push(...kept.flatMap((segment) => segment.tokens));
      previous = previous.slice(-network.context);
      // A window that does not advance would repeat forever.
      seek += split.advance > 0 ? split.advance : frames;
      listener.onProgress(Math.min(seek * hop, window.received) / SPEECH_RATE);
    }
    language ??= await languageOf(network, tokens, await encodeWindow(network, first ?? new Float32Array(hop)));
  } finally {
    await window.close();
  }
  const duration = window.received / SPEECH_RATE;
  listener.onProgress(duration);
  return { task: request.task, language, duration, segments, ...request.words && { words } };
}

async function languageOf({ decoder }: WhisperNetwork, tokens: WhisperTokens, sound: Tensor): Promise<string> {
  const { logits: [logits] } = await decoder.start(sound, [tokens.start], {});
  return detectLanguage(logits, tokens).language;
}

function taskTokens(
  { languages, transcribe, translate }: WhisperTokens,
  language: string,
  task: TranscriptionRequest["task"],
): number[] {
  if (languages.size === 0) return [];
  const spoken = languages.get(language);
  const chosen = task === "translate" ? translate : transcribe;
  if (spoken !== undefined && chosen !== undefined) return [spoken, chosen];
  throw new Error(`Cannot ${task}: the model does not support the language "${language}"`);
}

function toSegment(
  { text }: WhisperParts,
  { start, end, tokens, textTokens }: WindowSegment,
  { temperature, avgLogprob, compressionRatio, noSpeechProb }: DecodedWindow,
  seek: number,
  windowEnd: number,
): TranscriptSegment {
  return {
    start: Math.min(start, windowEnd),
    end: Math.min(end, windowEnd),
    text: text(textTokens),
    tokens,
    seek,
    temperature,
    avgLogprob,
    compressionRatio,
    noSpeechProb,
  };
}

/** Keeps what lies between the start of the window and what has been read. */
class SampleWindow {
  readonly #source: AsyncIterator<Float32Array<ArrayBufferLike>>;
  #kept = new Float32Array();
  #start = 0;
  #ended = false;

  constructor(source: AsyncIterable<Float32Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Samples that have been read by now; all of them once a window was not full. */
  get received(): number {
    return this.#start + this.#kept.length;
  }

  /** Up to `length` samples from `start` on, which never goes back: fewer only at the end of the stream. */
  async read(start: number, length: number): Promise<Float32Array<ArrayBuffer>> {
    const parts: Float32Array[] = [this.#kept.subarray(Math.min(start - this.#start, this.#kept.length))];
    let count = this.received - start;
    while (count < length && !this.#ended) {
      const { value, done } = await this.#source.next();
      if (done) this.#ended = true;
      else {
        parts.push(count < 0 ? value.subarray(Math.min(-count, value.length)) : value);
        count += value.length;
      }
    }
    const kept = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      kept.set(part, at);
      at += part.length;
    }
    this.#start = count < 0 ? start + count : start;
    this.#kept = kept;
    return kept.slice(0, length);
  }

  /** Ends the stream. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
