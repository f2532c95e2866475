/**
 * Times of words without the pauses around them: models give the start of a word, and it lasts until the next one.
 *
 * @module
 */
import type { TranscriptWord } from "../../protocol/transcription/transcript.ts";
import { SPEECH_RATE } from "../contract/transcription_model.ts";
import { decibels, FRAME, speechThreshold } from "./speech_cutter.ts";

/** Seconds of a frame. */
const FRAME_SECONDS = FRAME / SPEECH_RATE;

/** Frames of silence that no word has within it: closed lips are silent for a tenth of a second. */
const PAUSE = Math.round(0.25 / FRAME_SECONDS);

/** Longest word that is not heard at all, in seconds. */
const UNHEARD = 0.1;

/**
 * Words that end where the sound of them ends: silence at their end does not count, nor anything after a pause, and a
 * pause before them does not, either.
 *
 * @param words With times from the start of the samples.
 */
export function withoutPauses(words: readonly TranscriptWord[], samples: Float32Array): TranscriptWord[] {
  if (words.length === 0) return [];
  const energies = Array.from(
    { length: Math.ceil(samples.length / FRAME) },
    (_, i) => decibels(samples.subarray(i * FRAME, (i + 1) * FRAME)),
  );
  const threshold = speechThreshold(energies.toSorted((a, b) => a - b));
  const heard = energies.map((energy) => energy > threshold);
  return words.map((word) => ({ ...word, ...spoken(word, heard) }));
}

function spoken({ start, end }: TranscriptWord, heard: readonly boolean[]): { start: number; end: number } {
  const from = Math.floor(start / FRAME_SECONDS + 1e-6);
  const to = Math.min(Math.ceil(end / FRAME_SECONDS - 1e-6), heard.length);
  const first = heard.indexOf(true, from);
  if (first < 0 || first >= to) return { start, end: Math.min(end, start + UNHEARD) };
  let last = first;
  for (let frame = first; frame < to && frame - last < PAUSE; frame++) if (heard[frame]) last = frame;
  return {
    start: first - from < PAUSE ? start : Math.max(start, first * FRAME_SECONDS),
    end: Math.min(end, (last + 1) * FRAME_SECONDS),
  };
}
