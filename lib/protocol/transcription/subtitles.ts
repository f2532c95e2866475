/**
 * Subtitles of a recording.
 *
 * @module
 */
import { type TranscriptSegment, transcriptText } from "./transcript.ts";

/** What subtitles are made of. */
export interface SubtitleText {
  readonly segments: readonly Pick<TranscriptSegment, "start" | "end" | "text">[];
  /** Seconds of sound. */
  readonly duration: number;
  /** The whole text, for a recording without segments; theirs when left out. */
  readonly text?: string;
}

/** SubRip: numbered cues with a comma before the milliseconds. */
export function subRip(text: SubtitleText): string {
  return cuesOf(text)
    .map(({ start, end, lines }, i) => `${i + 1}\n${clock(start, ",")} --> ${clock(end, ",")}\n${lines.join("\n")}\n\n`)
    .join("");
}

/** WebVTT (W3C): `&`, `<` and `>` of the text are escaped. */
export function webVtt(text: SubtitleText): string {
  const cues = cuesOf(text).map(({ start, end, lines }) =>
    `${clock(start, ".")} --> ${clock(end, ".")}\n${lines.map(escapeMarkup).join("\n")}\n\n`
  );
  return `WEBVTT\n\n${cues.join("")}`;
}

interface Cue {
  /** Milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** A cue for each segment that says something, of at least a millisecond; one for the whole text when there is none. */
function cuesOf({ segments, duration, text }: SubtitleText): Cue[] {
  const spoken = segments.map((segment) => ({ ...segment, lines: linesOf(segment.text) }))
    .filter(({ lines }) => lines.length > 0);
  const whole = { start: 0, end: duration, lines: linesOf(text ?? transcriptText(segments)) };
  return (spoken.length > 0 ? spoken : [whole]).map(({ start, end, lines }) => {
    const from = Math.max(Math.round(start * 1000), 0);
    return { start: from, end: Math.max(Math.round(end * 1000), from + 1), lines };
  });
}

/** An empty line would end its cue. */
function linesOf(text: string): string[] {
  return text.split(/[\r\n\u2028\u2029]+/).map((line) => line.trim()).filter((line) => line !== "");
}

/** Hours of two digits or more. */
function clock(milliseconds: number, point: string): string {
  const digits = (value: number, count: number) => String(value).padStart(count, "0");
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${digits(hours, 2)}:${digits(minutes, 2)}:${digits(seconds % 60, 2)}${point}${
    digits(milliseconds % 1000, 3)
  }`;
}

function escapeMarkup(line: string): string {
  return line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
