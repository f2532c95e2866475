/**
 * Transcription piece by piece, for models that hear one piece of speech at a time.
 *
 * @module
 */
import type { Transcript, TranscriptSegment, TranscriptWord } from "../../protocol/transcription/transcript.ts";
import { withoutPauses } from "./word_pauses.ts";
import { compressionRatio } from "./decoding_quality.ts";
import { SpeechCutter, type SpeechPiece } from "./speech_cutter.ts";
import { SPEECH_RATE, type TranscriptionListener, type TranscriptionRequest } from "../contract/transcription_model.ts";

/** What a piece says. */
export interface RecognisedPiece {
  /** Empty for nothing. */
  readonly text: string;
  readonly tokens: readonly number[];
  readonly avgLogprob: number;
  /** Undefined for the likeliest tokens. */
  readonly temperature?: number;
  /** Seconds from the start of the piece; undefined if the model does not report it. */
  readonly words?: readonly TranscriptWord[];
}

/**
 * Recognises one piece at a time. Four in one batch took 9 to 15 % less time with Moonshine, but the scales of 8-bit
 * activations are those of all rows, so that what was heard in a piece depended on its neighbours.
 */
export interface PieceRecogniser {
  /** @throws the reason of `signal` when it aborts. */
  recognise(samples: Float32Array, maxTokens: number, signal: AbortSignal): Promise<RecognisedPiece>;
}

/** Cuts a recording at its silences, and makes a segment of each piece that says something. */
export async function transcribePieces(
  request: TranscriptionRequest,
  maxSeconds: number,
  recogniser: PieceRecogniser,
  signal: AbortSignal,
  listener: TranscriptionListener,
): Promise<Transcript> {
  const cutter = new SpeechCutter(maxSeconds);
  const segments: TranscriptSegment[] = [];
  const words: TranscriptWord[] = [];
  const hear = async ({ start, samples }: SpeechPiece) => {
    signal.throwIfAborted();
    const found = await recogniser.recognise(samples, request.maxTokens, signal);
    const from = start / SPEECH_RATE;
    const to = from + samples.length / SPEECH_RATE;
    for (const { word, start, end } of withoutPauses(found.words ?? [], samples)) {
      words.push({ word, start: from + start, end: from + end });
    }
    listener.onProgress(to);
    if (found.text === "") return;
    const segment: TranscriptSegment = {
      start: from,
      end: to,
      text: ` ${found.text}`,
      tokens: found.tokens,
      seek: Math.floor(from * 100),
      temperature: found.temperature ?? 0,
      avgLogprob: found.avgLogprob,
      compressionRatio: compressionRatio(found.text),
      noSpeechProb: 0,
    };
    segments.push(segment);
    listener.onSegment(segment);
  };
  for await (const samples of request.samples) {
    signal.throwIfAborted();
    for (const piece of cutter.push(samples)) await hear(piece);
  }
  for (const piece of cutter.flush()) await hear(piece);
  const duration = cutter.received / SPEECH_RATE;
  listener.onProgress(duration);
  return { task: request.task, language: request.language, duration, segments, ...request.words && { words } };
}
