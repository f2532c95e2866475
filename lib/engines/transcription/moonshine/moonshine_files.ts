/**
 * Recognises Moonshine among the files of a model, and reads the vocabulary of its own packages.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { readModelJson } from "../../files/model_json.ts";
import { chooseGraph } from "../../onnx_sessions/onnx_file.ts";
import type { TranscriptionModelProfile } from "../../contract/transcription_model.ts";

/** The files of the package `moonshine-voice`. */
export const PACKAGE_FILES = {
  encoder: "encoder_model.ort",
  decoder: "decoder_model_merged.ort",
  tokenizer: "tokenizer.bin",
} as const;

/**
 * Reads the profile of a Moonshine model; undefined for files of another kind.
 *
 * @throws {Error} naming the file that is missing.
 */
export async function readMoonshineProfile(files: ModelFiles): Promise<TranscriptionModelProfile | undefined> {
  const packaged = Object.values(PACKAGE_FILES).every((name) => files.names.includes(name));
  const config = packaged ? undefined : await readModelJson(files, "config.json");
  if (!packaged && config?.model_type !== "moonshine") return undefined;
  if (!packaged) checkFiles(files);
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

/** What is needed in the layout of Hugging Face. */
function checkFiles({ names }: ModelFiles): void {
  const graph = ["encoder_model", "decoder_model_merged"].find((name) => chooseGraph(names, name) === undefined);
  const tokenizer = names.includes("tokenizer.json") || names.includes(PACKAGE_FILES.tokenizer);
  const missing = graph !== undefined ? `onnx/${graph}.onnx` : tokenizer ? undefined : "tokenizer.json";
  if (missing === undefined) return;
  throw new Error(`Cannot open the model: it has no ${missing}, add the file to its folder`);
}

/** Maximum size of a vocabulary. */
const MAX_TOKENS = 2 ** 20;

/**
 * Reads `tokenizer.bin`: for each id the length of its text, a byte or, from 128 on, two of which the first is 128 more
 * than the lower seven bits, then its bytes.
 *
 * @throws {Error} when it is not whole.
 */
export function readBinTokenizer(bytes: Uint8Array): readonly Uint8Array[] {
  const tokens: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    let length = bytes[at++];
    if (length >= 128) length = (bytes[at++] ?? 0) * 128 + length - 128;
    if (at + length > bytes.length || tokens.length === MAX_TOKENS) {
      throw new Error(`Cannot use tokenizer.bin: token ${tokens.length} goes beyond its end, expected a whole file`);
    }
    tokens.push(bytes.subarray(at, at += length));
  }
  return tokens;
}
