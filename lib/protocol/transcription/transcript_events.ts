/**
 * The events of a transcription that is streamed.
 *
 * @module
 */
import { type Transcript, type TranscriptSegment, transcriptText } from "./transcript.ts";
import { usageOf } from "./transcription_format.ts";

/** An event as OpenAI's clients read it. */
export type TranscriptEvent =
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
