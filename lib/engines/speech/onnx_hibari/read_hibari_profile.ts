/**
 * Recognises models of Hibari.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import type { SpeechModelProfile } from "../../contract/speech_model.ts";
import { readHibariVoices, VOICES_FILE } from "./hibari_voices.ts";
import { SAMPLE_RATE } from "./waveform.ts";

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
  return { kind: "speech", engine: "onnx-hibari", voices: voices.map(({ name }) => name), sampleRate: SAMPLE_RATE };
}
