/**
 * Transcripts as responses: in the formats that clients ask for, and as events of a stream.
 *
 * @module
 */
import { languageName } from "./languages.ts";
import { subRip, webVtt } from "./subtitles.ts";
import { type Transcript, type TranscriptSegment, transcriptText } from "./transcript.ts";

/** Values of `response_format`. */
export const TRANSCRIPTION_FORMATS = ["json", "text", "verbose_json", "srt", "vtt"] as const;

/** One of {@linkcode TRANSCRIPTION_FORMATS}. */
export type TranscriptionFormat = typeof TRANSCRIPTION_FORMATS[number];

/** Values of `timestamp_granularities[]`, which `verbose_json` takes. */
export const TIMESTAMP_GRANULARITIES = ["segment", "word"] as const;

/** One of {@linkcode TIMESTAMP_GRANULARITIES}. */
export type TimestampGranularity = typeof TIMESTAMP_GRANULARITIES[number];

/** The body of a response. */
export interface TranscriptionBody {
  readonly contentType: string;
  readonly body: string;
}

/**
 * Writes a transcript.
 *
 * @param granularities What `verbose_json` lists; segments when left out.
 */
export function formatTranscript(
  transcript: Transcript,
  format: TranscriptionFormat,
  granularities: readonly TimestampGranularity[] = ["segment"],
): TranscriptionBody {
  switch (format) {
    case "json":
      return json(transcriptJson(transcript));
    case "verbose_json":
      return json(verboseJson(transcript, granularities));
    case "text":
      return { contentType: "text/plain; charset=utf-8", body: transcriptText(transcript.segments) };
    case "srt":
      return { contentType: "application/x-subrip; charset=utf-8", body: subRip(transcript) };
    case "vtt":
      return { contentType: "text/vtt; charset=utf-8", body: webVtt(transcript) };
  }
}

/** The object of `json`. */
function transcriptJson({ segments, language }: Transcript): Readonly<Record<string, unknown>> {
  return { text: transcriptText(segments), ...language !== undefined && { language } };
}

/**
 * The object of `verbose_json`. The language is written as a name, as OpenAI does, `unknown` where a model that finds it
 * by itself does not report it: typed clients demand the field.
 */
export function verboseJson(
  transcript: Transcript,
  granularities: readonly TimestampGranularity[] = ["segment"],
): Readonly<Record<string, unknown>> {
  const { task, language, duration, segments, words } = transcript;
  return {
    task,
    language: language === undefined ? "unknown" : languageName(language),
    duration: rounded(duration),
    text: transcriptText(segments),
    ...granularities.includes("word") && {
      words: (words ?? []).map(({ word, start, end }) => ({ word, start: rounded(start), end: rounded(end) })),
    },
    ...granularities.includes("segment") && {
      segments: segments.map((segment, id) => ({
        id,
        seek: segment.seek,
        start: rounded(segment.start),
        end: rounded(segment.end),
        text: segment.text,
        tokens: segment.tokens,
        temperature: segment.temperature,
        avg_logprob: segment.avgLogprob,
        compression_ratio: segment.compressionRatio,
        no_speech_prob: segment.noSpeechProb,
      })),
    },
    usage: usageOf(duration),
  };
}

/** What a transcription is charged by elsewhere: whole seconds of sound. */
function usageOf(duration: number): { readonly type: "duration"; readonly seconds: number } {
  return { type: "duration", seconds: Math.ceil(duration) };
}

/** Times of models are sums of hundredths, with the rounding errors of such. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function json(value: unknown): TranscriptionBody {
  return { contentType: "application/json", body: JSON.stringify(value) };
}

/** An event as OpenAI's clients read it. */
type TranscriptEvent =
  | { readonly type: "transcript.text.delta"; readonly delta: string }
  | {
    readonly type: "transcript.text.done";
    readonly text: string;
    readonly usage: { readonly type: "duration"; readonly seconds: number };
  };

/** Turns segments into events, so that the deltas joined are the text of the last event. */
export class TranscriptEvents {
  /** Trailing white space so far; it becomes part of the text only when more text follows. */
  #waiting = "";
  #started = false;

  /** The event of the next segment; undefined when it adds nothing. */
  segment({ text }: Pick<TranscriptSegment, "text">): TranscriptEvent | undefined {
    const whole = this.#waiting + (this.#started ? text : text.trimStart());
    const delta = whole.trimEnd();
    if (delta === "") {
      this.#waiting = this.#started ? whole : "";
      return undefined;
    }
    this.#started = true;
    this.#waiting = whole.slice(delta.length);
    return { type: "transcript.text.delta", delta };
  }

  /** The last event. */
  done({ segments, duration }: Pick<Transcript, "segments" | "duration">): TranscriptEvent {
    return { type: "transcript.text.done", text: transcriptText(segments), usage: usageOf(duration) };
  }
}

/** An event as a frame of server-sent events. */
export function transcriptFrame(event: TranscriptEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
