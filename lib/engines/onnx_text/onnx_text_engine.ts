/**
 * ONNX chat models.
 *
 * @module
 */
import type { EngineEntry } from "../contract/engine_entry.ts";

/** Chat models on ONNX Runtime. */
export const onnxTextEngine: EngineEntry = {
  kind: "chat",
  readProfile: async (files) => await (await import("./read_onnx_text_profile.ts")).readOnnxTextProfile(files),
  open: async (files, options) => {
    const { openOnnxTextModel } = await import("./onnx_text_model.ts");
    const { openChats } = await import("../text/chat_model.ts");
    return openChats(await openOnnxTextModel(files, options), options);
  },
};
