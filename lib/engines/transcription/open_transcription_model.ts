/**
 * Opens models that transcribe.
 *
 * @module
 */
import type { ModelFiles } from "../files/model_files.ts";
import type { SessionSettings } from "../onnx_sessions/open_session.ts";
import type { TranscriptionEngineId, TranscriptionModel } from "./transcription_model.ts";

/**
 * Opens a model with the engine of its profile, of which nothing is loaded before.
 *
 * @throws {Error} naming the file that is missing or cannot be used.
 */
export async function openTranscriptionModel(
  engine: TranscriptionEngineId,
  files: ModelFiles,
  settings: SessionSettings,
): Promise<TranscriptionModel> {
  switch (engine) {
    case "onnx-whisper": {
      const { openOnnxWhisperModel } = await import("./whisper/open_onnx_whisper_model.ts");
      return await openOnnxWhisperModel(files, settings);
    }
    case "onnx-parakeet": {
      const { openOnnxParakeetModel } = await import("./parakeet/open_onnx_parakeet_model.ts");
      return await openOnnxParakeetModel(files, settings);
    }
    case "onnx-moonshine": {
      const { openOnnxMoonshineModel } = await import("./moonshine/open_onnx_moonshine_model.ts");
      return await openOnnxMoonshineModel(files, settings);
    }
  }
}
