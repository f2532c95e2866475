/**
 * The events of speech that is streamed.
 *
 * @module
 */

/** An event as OpenAI's clients read it. */
type SpeechStreamEvent =
  | {
    readonly type: "speech.audio.delta";
    readonly audio: string;
    /** Of the text that is spoken by then, from 0 to 1: an extension. */
    readonly svc_progress: number;
  }
  | {
    readonly type: "speech.audio.done";
    /** Phonemes that were spoken, and frames of sound of 1/80 s. */
    readonly usage: { readonly input_tokens: number; readonly output_tokens: number; readonly total_tokens: number };
  };

/** The event of the next bytes of the sound. */
export function speechDelta(bytes: Uint8Array, progress: number): SpeechStreamEvent {
  return { type: "speech.audio.delta", audio: base64Of(bytes), svc_progress: progress };
}

/** The last event. */
export function speechDone(phonemes: number, frames: number): SpeechStreamEvent {
  return {
    type: "speech.audio.done",
    usage: { input_tokens: phonemes, output_tokens: frames, total_tokens: phonemes + frames },
  };
}

/** An event as a frame of server-sent events. */
export function speechFrame(event: SpeechStreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Bytes of one call, a multiple of three: the arguments of a function are limited. */
const PART = 24_576;

/** The base64 of bytes (RFC 4648), with padding. */
export function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PART) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PART)));
  }
  return text;
}
