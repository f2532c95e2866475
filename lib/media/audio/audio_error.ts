/**
 * Errors of sound files.
 *
 * @module
 */

/** Why a sound file was refused; stable words, fit for an API. */
export type AudioErrorCode =
  /** No sound, or of a format that is not read. */
  | "audio_unsupported"
  /** Cut off, or not what its header says. */
  | "audio_damaged"
  /** More sound than is wanted. */
  | "audio_too_long"
  /** A decoder that this format needs is not installed. */
  | "audio_decoder_missing";

/** A sound file cannot be read. */
export class AudioError extends Error {
  /** Always `AudioError`. */
  override name = "AudioError";
  /** Which of the reasons it is. */
  readonly code: AudioErrorCode;

  /** An error with its reason and a sentence for people. */
  constructor(code: AudioErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
