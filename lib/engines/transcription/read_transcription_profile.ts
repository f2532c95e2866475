/**
 * Recognises models that transcribe.
 *
 * @module
 */
import type { ModelFiles } from "../files/model_files.ts";
import { readMoonshineProfile } from "./moonshine/read_moonshine_profile.ts";
import { readParakeetProfile } from "./parakeet/read_parakeet_profile.ts";
import type { TranscriptionModelProfile } from "./transcription_model.ts";
import { readWhisperProfile } from "./whisper/read_whisper_profile.ts";

/**
 * Reads the profile of a Whisper, Moonshine or Parakeet model; undefined for files of another kind.
 *
 * @throws {Error} naming the file of such a model that is missing or cannot be used.
 */
export async function readTranscriptionProfile(files: ModelFiles): Promise<TranscriptionModelProfile | undefined> {
  return await readWhisperProfile(files) ?? await readMoonshineProfile(files) ?? await readParakeetProfile(files);
}
