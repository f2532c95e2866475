/**
 * Recognises models of Kokoro.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import type { SpeechModelProfile } from "../../contract/speech_model.ts";
import { listKokoroVoices } from "./kokoro_voices.ts";

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
