/**
 * Recognises Whisper among the files of a model.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { readModelJson } from "../../files/model_json.ts";
import { readOnnxFile } from "../../onnx_sessions/onnx_file.ts";
import type { TranscriptionModelProfile } from "../../contract/transcription_model.ts";
import { readWhisperTokens } from "./read_whisper_tokens.ts";
import { whisperGraphs } from "./whisper_graphs.ts";

/**
 * Reads the profile of a Whisper model; undefined for files of another kind.
 *
 * @throws {Error} naming the file that is missing or cannot be used.
 */
export async function readWhisperProfile(files: ModelFiles): Promise<TranscriptionModelProfile | undefined> {
  const config = await readModelJson(files, "config.json");
  if (config?.model_type !== "whisper") return undefined;
  const tokens = await readWhisperTokens(files);
  const { outputs } = await readOnnxFile(files, whisperGraphs(files).decoder.first);
  const multilingual = tokens.languages.size > 0;
  return {
    kind: "transcription",
    engine: "onnx-whisper",
    languages: multilingual ? [...tokens.languages.keys()] : ["en"],
    translates: multilingual && tokens.translate !== undefined,
    words: outputs.some(({ name }) => name.startsWith("cross_attentions.")),
    prompts: true,
  };
}
