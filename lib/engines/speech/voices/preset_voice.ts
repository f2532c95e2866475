/**
 * Preset voices of a model.
 *
 * @module
 */

/** Genders of voices. */
export type VoiceGender = "female" | "male";

/** A voice of a model. */
export interface PresetVoice {
  /** Its name in the model. */
  readonly name: string;
  /** Further names. */
  readonly aliases: readonly string[];
  readonly gender: VoiceGender;
  /** Language with its kind, such as `American English` or `French`. */
  readonly accent: string;
}

/** Accents that text is read in. */
export const AMERICAN = "American English";

/** See {@linkcode AMERICAN}. */
export const BRITISH = "British English";

/** Whether a voice of this accent reads with the British lexicon. */
export function readsBritish({ accent }: PresetVoice): boolean {
  return accent === BRITISH;
}
