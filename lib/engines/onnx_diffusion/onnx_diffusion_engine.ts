/**
 * Chat models that fill in masked tokens.
 *
 * @module
 */
import type { EngineEntry } from "../contract/engine_entry.ts";

/** Diffusion chat models on ONNX Runtime. */
export const onnxDiffusionEngine: EngineEntry = {
  kind: "chat",
  readProfile: async (files) => await (await import("./diffusion_recipe.ts")).readDiffusionProfile(files),
  open: async (files, options) => {
    const { openOnnxDiffusionModel } = await import("./open_onnx_diffusion_model.ts");
    const { openChats } = await import("../text/chat_model.ts");
    return openChats(await openOnnxDiffusionModel(files, options), options);
  },
};
