/**
 * Whisper models.
 *
 * @module
 */
import type { EngineEntry } from "../../contract/engine_entry.ts";

/** Whisper on ONNX Runtime. */
export const whisperEngine: EngineEntry = {
  kind: "transcription",
  readProfile: async (files) => await (await import("./read_whisper_profile.ts")).readWhisperProfile(files),
  open: async (files, options) => {
    const { openOnnxWhisperModel } = await import("./open_onnx_whisper_model.ts");
    const { openTranscription } = await import("../open_transcription.ts");
    return openTranscription(await openOnnxWhisperModel(files, options));
  },
  // Mostly attention of 1,500 frames in each layer, of a window of 30 s, and the keys and values of one sequence.
  memory: { transcribe: () => 512 * 2 ** 20 },
};
