/**
 * Preset voices of a model, and those of OpenAI, which clients name for any model.
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

/** Substitutes for a voice of OpenAI. */
export interface VoiceWish {
  readonly gender?: VoiceGender;
  readonly accent?: string;
  /** Names of the closest presets, the best first. */
  readonly closest: readonly string[];
}

const voice = (gender: VoiceGender, accent: string, ...closest: readonly string[]): VoiceWish => ({
  gender,
  accent,
  closest,
});

/** By their names. */
export const openAiVoices: Readonly<Record<string, VoiceWish>> = {
  alloy: voice("female", AMERICAN, "af_alloy", "kore", "af_kore"),
  ash: voice("male", AMERICAN, "am_michael"),
  ballad: voice("male", BRITISH, "bm_george"),
  cedar: voice("male", AMERICAN, "fenrir", "am_fenrir"),
  coral: voice("female", AMERICAN, "af_bella"),
  echo: voice("male", AMERICAN, "am_echo"),
  fable: voice("male", BRITISH, "fable", "bm_fable"),
  marin: voice("female", AMERICAN, "heart", "af_heart"),
  nova: voice("female", AMERICAN, "af_nova", "heart", "af_heart"),
  onyx: voice("male", AMERICAN, "am_onyx"),
  sage: voice("female", AMERICAN, "af_sarah"),
  shimmer: voice("female", AMERICAN, "af_sky"),
  verse: voice("male", AMERICAN, "am_puck"),
};
