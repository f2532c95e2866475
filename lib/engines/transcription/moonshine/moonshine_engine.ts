/**
 * Moonshine models.
 *
 * @module
 */
import type { EngineEntry } from "../../contract/engine_entry.ts";

/** Moonshine on ONNX Runtime. */
export const moonshineEngine: EngineEntry = {
  kind: "transcription",
  readProfile: async (files) => await (await import("./read_moonshine_profile.ts")).readMoonshineProfile(files),
  open: async (files, options) => {
    const { openOnnxMoonshineModel } = await import("./open_onnx_moonshine_model.ts");
    const { openTranscription } = await import("../open_transcription.ts");
    return openTranscription(await openOnnxMoonshineModel(files, options));
  },
  // Mostly attention of a piece of 24 s in each layer.
  memory: { transcribe: () => 256 * 2 ** 20 },
};
