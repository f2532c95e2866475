/**
 * Recognises models of Hibari, and lists their voices.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { SAMPLE_RATE } from "./waveform.ts";
import type { SpeechModelProfile } from "../../contract/speech_model.ts";
import * as v from "valibot";
import { readModelValue } from "../../files/model_json.ts";
import { englishFiles } from "../english_phonemes/read_english_data.ts";
import { AMERICAN, BRITISH, type PresetVoice } from "../preset_voice.ts";

/** The numbers of the phonemes. */
export const VOCABULARY_FILE = "vocab.json";

/**
 * Reads the profile of a folder in the layout of Hibari is: {@linkcode VOICES_FILE}, {@linkcode VOCABULARY_FILE}, the
 * networks of its voices and what English text is read with.
 *
 * @returns Undefined for files of another kind.
 * @throws {Error} naming the problem with files of this kind.
 */
export async function readHibariProfile(files: ModelFiles): Promise<SpeechModelProfile | undefined> {
  if (![VOICES_FILE, VOCABULARY_FILE, "normalize.json"].every((name) => files.names.includes(name))) return undefined;
  const voices = await readHibariVoices(files);
  if (voices.length === 0) {
    throw new Error(`Cannot use the model: none of the networks of ${VOICES_FILE} is among its files`);
  }
  const texts = new Set(voices.flatMap(({ accent }) => englishFiles(accent === BRITISH)));
  const missing = [...texts].find((name) => !files.names.includes(name));
  if (missing !== undefined) {
    throw new Error(`Cannot open the model: it has no ${missing}, add the file to its folder`);
  }
  return { kind: "speech", engine: "onnx-hibari", voices: voices.map(({ name }) => name), sampleRate: SAMPLE_RATE };
}

/** A voice, and the network that speaks with it. */
export interface HibariVoice extends PresetVoice {
  /** Name in the model's folder. */
  readonly file: string;
}

const schema = v.record(
  v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,31}$/)),
  v.object({
    kokoro: v.optional(v.string()),
    gender: v.picklist(["female", "male"]),
    british: v.boolean(),
    file: v.pipe(v.string(), v.maxLength(200)),
  }),
);

/** The list of voices. */
const VOICES_FILE = "voices.json";

/**
 * The voices whose networks are among the files, in the order of the list.
 *
 * @throws {Error} when the list cannot be used.
 */
export async function readHibariVoices(files: ModelFiles): Promise<HibariVoice[]> {
  const read = v.safeParse(schema, await readModelValue(files, VOICES_FILE));
  if (!read.success) {
    const { path, message } = read.issues[0];
    const at = path?.map(({ key }) => String(key)).join(".") ?? "the whole";
    throw new Error(`Cannot use ${VOICES_FILE}: ${at}: ${message}, expected voices with gender, british and file`);
  }
  return Object.entries(read.output).flatMap(([name, { kokoro, gender, british, file }]) => {
    const found = [file, `voices/${file}`].find((path) => files.names.includes(path));
    const accent = british ? BRITISH : AMERICAN;
    return found === undefined ? [] : [{ name, aliases: kokoro ? [kokoro] : [], gender, accent, file: found }];
  });
}
