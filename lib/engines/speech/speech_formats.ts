/**
 * Formats of spoken sound, and whether this machine can write them.
 *
 * @module
 */
import { AUDIO_FORMATS, type AudioFormat, audioTypes } from "../../media/audio/encoding/audio_encoder.ts";
import { openAudioEncoder } from "../../media/audio/encoding/open_audio_encoder.ts";
import { runProcess } from "../../platform/processes/run_process.ts";
import { SvcError } from "../../errors/svc_error.ts";

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
