/**
 * Parakeet models.
 *
 * @module
 */
import type { EngineEntry } from "../../contract/engine_entry.ts";

/** Parakeet on ONNX Runtime. */
export const parakeetEngine: EngineEntry = {
  kind: "transcription",
  readProfile: async (files) => await (await import("./read_parakeet_profile.ts")).readParakeetProfile(files),
  open: async (files, options) => {
    const { openOnnxParakeetModel } = await import("./open_onnx_parakeet_model.ts");
    const { openTranscription } = await import("../open_transcription.ts");
    return openTranscription(await openOnnxParakeetModel(files, options));
  },
  // Mostly the first convolutions of a piece of 30 s.
  memory: { transcribe: () => 640 * 2 ** 20 },
};
