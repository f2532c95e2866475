/**
 * Recognises models of Kokoro, and reads their voices: tables of styles.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import type { SpeechModelProfile } from "../../contract/speech_model.ts";
import { AMERICAN, BRITISH, type PresetVoice } from "../preset_voice.ts";

/** Samples a second. */
export const SAMPLE_RATE = 24_000;

/**
 * The network among the files: one in ONNX format, in the folder or in `onnx/`; the first by name where there are more.
 */
export function kokoroNetworkFile({ names }: ModelFiles): string | undefined {
  return names.filter((name) => /^(?:onnx\/)?(?:model|kokoro)[^/]*\.onnx$/i.test(name)).sort()[0];
}

/**
 * Reads the profile of a folder in the layout of Kokoro is: a network and styles in `voices/`.
 *
 * @returns Undefined for files of another kind.
 */
export function readKokoroProfile(files: ModelFiles): Promise<SpeechModelProfile | undefined> {
  const voices = listKokoroVoices(files);
  if (voices.length === 0 || kokoroNetworkFile(files) === undefined) return Promise.resolve(undefined);
  return Promise.resolve({
    kind: "speech",
    engine: "onnx-kokoro",
    voices: voices.map(({ name }) => name),
    sampleRate: SAMPLE_RATE,
  });
}

/** A voice, and the file of its styles. */
interface KokoroVoice extends PresetVoice {
  /** Name in the model's folder. */
  readonly file: string;
}

/** Numbers of a style. */
export const STYLE_SIZE = 256;

/** Languages by the first letter of a name; the second one is that of the gender. */
const accents: Readonly<Record<string, string>> = {
  a: AMERICAN,
  b: BRITISH,
  e: "Spanish",
  f: "French",
  h: "Hindi",
  i: "Italian",
  j: "Japanese",
  p: "Brazilian Portuguese",
  z: "Chinese",
};

/** The default voice. */
const DEFAULT = "af_heart";

const MAX_VOICES = 200;

/** The voices among the files, English ones first, the default one before all. */
export function listKokoroVoices({ names }: ModelFiles): KokoroVoice[] {
  const voices = names.slice().sort().flatMap((file): KokoroVoice[] => {
    const [, name, language, gender] = /^voices\/(([abefhijpz])([fm])_[a-z0-9]{1,30})\.bin$/.exec(file) ?? [];
    if (name === undefined) return [];
    return [{ name, aliases: [], gender: gender === "f" ? "female" : "male", accent: accents[language], file }];
  });
  const rank = ({ name, accent }: KokoroVoice) =>
    name === DEFAULT ? 0 : accent === AMERICAN || accent === BRITISH ? 1 : 2;
  return voices.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_VOICES);
}

/** Styles of a voice, one for every number of phonemes. */
export interface VoiceStyles {
  /** The style for so many phonemes, without the zeros at the ends. */
  of(phonemes: number): Float32Array<ArrayBuffer>;
}

/**
 * Reads the styles of a voice.
 *
 * @throws {Error} if the file is not a table of 32-bit floats.
 */
export async function readVoiceStyles(files: ModelFiles, { file }: KokoroVoice): Promise<VoiceStyles> {
  const bytes = await files.read(file);
  const row = 4 * STYLE_SIZE;
  if (bytes.length === 0 || bytes.length % row !== 0 || bytes.length > 2048 * row) {
    throw new Error(`Cannot use ${file}: it has ${bytes.length} bytes, expected rows of ${STYLE_SIZE} 32-bit floats`);
  }
  const numbers = new Float32Array(bytes.slice().buffer);
  if (!numbers.every(Number.isFinite)) throw new Error(`Cannot use ${file}: a number is not finite`);
  const last = numbers.length / STYLE_SIZE - 1;
  return {
    of: (phonemes) => {
      const start = Math.min(Math.max(phonemes - 1, 0), last) * STYLE_SIZE;
      return numbers.slice(start, start + STYLE_SIZE);
    },
  };
}
