/**
 * Transcription piece by piece, for models that hear one piece of speech at a time.
 *
 * @module
 */
import type { Transcript, TranscriptSegment, TranscriptWord } from "../../api/protocol/transcription/transcript.ts";
import { compressionRatio } from "./compression_ratio.ts";
import { SpeechCutter, type SpeechPiece } from "./speech_cutter.ts";
import { SPEECH_RATE, type TranscriptionListener, type TranscriptionRequest } from "./transcription_model.ts";

/** What a piece says. */
export interface RecognisedPiece {
  /** Empty for nothing. */
  readonly text: string;
  readonly tokens: readonly number[];
  readonly avgLogprob: number;
  /** Seconds from the start of the piece; undefined if the model does not report it. */
  readonly words?: readonly TranscriptWord[];
}

/** Recognises pieces. */
export interface PieceRecogniser {
  /** Most pieces that it recognises at once because that is faster than one after the other. */
  readonly together: number;
  /**
   * Recognises up to {@linkcode together} pieces.
   *
   * @throws the reason of `signal` when it aborts.
   */
  recognise(
    pieces: readonly Float32Array[],
    maxTokens: number,
    signal: AbortSignal,
  ): Promise<readonly RecognisedPiece[]>;
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
  let waiting: SpeechPiece[] = [];
  let heard = 0;
  const hearWaiting = async () => {
    const pieces = waiting;
    waiting = [];
    signal.throwIfAborted();
    const found = await recogniser.recognise(pieces.map(({ samples }) => samples), request.maxTokens, signal);
    for (const [i, piece] of pieces.entries()) write(piece, found[i]);
    heard += pieces.length;
  };
  const hear = async (piece: SpeechPiece) => {
    waiting.push(piece);
    // The first one alone: whoever reads along sees the first words sooner.
    if (heard === 0 || waiting.length === recogniser.together) await hearWaiting();
  };
  const write = ({ start, samples }: SpeechPiece, found: RecognisedPiece) => {
    const from = start / SPEECH_RATE;
    const to = from + samples.length / SPEECH_RATE;
    for (const { word, start, end } of found.words ?? []) words.push({ word, start: from + start, end: from + end });
    listener.onProgress(to);
    if (found.text === "") return;
    const segment: TranscriptSegment = {
      start: from,
      end: to,
      text: ` ${found.text}`,
      tokens: found.tokens,
      seek: Math.floor(from * 100),
      temperature: 0,
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
  if (waiting.length > 0) await hearWaiting();
  const duration = cutter.received / SPEECH_RATE;
  listener.onProgress(duration);
  return { task: request.task, language: request.language, duration, segments, ...request.words && { words } };
}
