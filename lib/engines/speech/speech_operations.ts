/**
 * The operation of speech models, and the formats of the sound, as far as this machine can write them.
 *
 * @module
 */
import { AUDIO_FORMATS, type AudioFormat, audioTypes } from "../../media/audio/encoding/audio_encoder.ts";
import { type Operation, operation } from "../contract/operation.ts";
import type { SpeechOutcome, SpeechPlan, SpeechRequest } from "../contract/speech_model.ts";
import { openAudioEncoder } from "../../media/audio/encoding/open_audio_encoder.ts";
import { runProcess } from "../../platform/processes/run_process.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** What to speak, and the format of the sound. */
export interface SpeechOrder extends SpeechRequest {
  readonly format: AudioFormat;
}

/** First the plan, then the bytes of the sound as they come. */
export type SpeechEvent =
  | { readonly kind: "plan"; readonly plan: SpeechPlan }
  | {
    readonly kind: "audio";
    readonly bytes: Uint8Array;
    /** Of the text that is spoken by then, from 0 to 1. */
    readonly fraction: number;
  };

/** Speaks a text; fails as `SpeechModel.speak`, and with `audio_encoder_missing` for a format without an encoder. */
export const speak: Operation<SpeechOrder, SpeechEvent, SpeechOutcome> = operation("speak");

/** A format by its name. */
export type SpeechFormat = AudioFormat;

/** Their names. */
export const SPEECH_FORMATS: typeof AUDIO_FORMATS = AUDIO_FORMATS;

/** The media type of a format. */
export function speechType(format: SpeechFormat): string {
  return audioTypes[format];
}

/** Formats that were written before. */
const known = new Set<SpeechFormat>(["wav", "pcm"]);

/**
 * Makes sure that a format can be written, before a model is loaded for it.
 *
 * @throws {SvcError} `audio_encoder_missing` with what to install.
 */
export async function checkSpeechFormat(format: SpeechFormat): Promise<void> {
  if (known.has(format)) return;
  const opened = await openAudioEncoder(format, { sampleRate: 24_000, onBytes: () => {} }, runProcess);
  if (!opened.ok) throw encoderMissing(opened);
  await opened.encoder.cancel();
  known.add(format);
}

/** The error for a format without an encoder. */
export function encoderMissing({ reason, remedy }: { readonly reason: string; readonly remedy: string }): SvcError {
  return new SvcError("audio_encoder_missing", `${reason}; ${remedy}`, { param: "response_format" });
}
