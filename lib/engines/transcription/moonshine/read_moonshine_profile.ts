/**
 * Recognises Moonshine among the files of a model.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { readModelJson } from "../../files/model_json.ts";
import type { TranscriptionModelProfile } from "../../contract/transcription_model.ts";

/** The files of the package `moonshine-voice`. */
export const PACKAGE_FILES = {
  encoder: "encoder_model.ort",
  decoder: "decoder_model_merged.ort",
  tokenizer: "tokenizer.bin",
} as const;

/** Reads the profile of a Moonshine model; undefined for files of another kind. */
export async function readMoonshineProfile(files: ModelFiles): Promise<TranscriptionModelProfile | undefined> {
  const packaged = Object.values(PACKAGE_FILES).every((name) => files.names.includes(name));
  const config = packaged ? undefined : await readModelJson(files, "config.json");
  if (!packaged && config?.model_type !== "moonshine") return undefined;
  // Other languages are models of their own, which their configuration does not always say.
  return {
    kind: "transcription",
    engine: "onnx-moonshine",
    languages: ["en"],
    translates: false,
    words: false,
    prompts: false,
  };
}
