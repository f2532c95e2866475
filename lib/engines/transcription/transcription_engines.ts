/**
 * The engines of transcription: Whisper, Parakeet and Moonshine on ONNX Runtime.
 *
 * @module
 */
import type { EngineEntry } from "../contract/engine_entry.ts";

/** Whisper on ONNX Runtime. */
export const whisperEngine: EngineEntry = {
  kind: "transcription",
  readProfile: async (files) => await (await import("./whisper/whisper_files.ts")).readWhisperProfile(files),
  open: async (files, options) => {
    const { openOnnxWhisperModel } = await import("./whisper/open_onnx_whisper_model.ts");
    const { openTranscription } = await import("./open_transcription.ts");
    return openTranscription(await openOnnxWhisperModel(files, options));
  },
  // Mostly attention of 1,500 frames in each layer, of a window of 30 s, and the keys and values of one sequence.
  memory: { transcribe: () => 512 * 2 ** 20 },
};

/** Parakeet on ONNX Runtime. */
export const parakeetEngine: EngineEntry = {
  kind: "transcription",
  readProfile: async (files) => await (await import("./parakeet/parakeet_files.ts")).readParakeetProfile(files),
  open: async (files, options) => {
    const { openOnnxParakeetModel } = await import("./parakeet/open_onnx_parakeet_model.ts");
    const { openTranscription } = await import("./open_transcription.ts");
    return openTranscription(await openOnnxParakeetModel(files, options));
  },
  // Mostly the first convolutions of a piece of 30 s.
  memory: { transcribe: () => 640 * 2 ** 20 },
};

/** Moonshine on ONNX Runtime. */
export const moonshineEngine: EngineEntry = {
  kind: "transcription",
  readProfile: async (files) => await (await import("./moonshine/moonshine_files.ts")).readMoonshineProfile(files),
  open: async (files, options) => {
    const { openOnnxMoonshineModel } = await import("./moonshine/open_onnx_moonshine_model.ts");
    const { openTranscription } = await import("./open_transcription.ts");
    return openTranscription(await openOnnxMoonshineModel(files, options));
  },
  // Mostly attention of a piece of 24 s in each layer.
  memory: { transcribe: () => 256 * 2 ** 20 },
};
