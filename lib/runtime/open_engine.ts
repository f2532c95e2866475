/**
 * Opens models in the process of their engine.
 *
 * @module
 */
import type { EngineModel } from "../engines/engine_messages.ts";
import type { EngineSettings } from "../engines/engine_settings.ts";
import type { LanguageModel } from "../engines/language_model.ts";
import type { OpenedEngine } from "../engines/opened_engine.ts";
import process from "node:process";
import { chatRandom } from "./chat_random.ts";
import { missingDevices } from "./missing_devices.ts";
import { openModelFolder } from "./model_folder.ts";

/** Opens a model with the engine that its profile names. Engines are loaded when they are needed, and only then. */
export async function openEngine(
  { folder, files: names, profile }: EngineModel,
  settings: EngineSettings,
  _onProgress: (fraction: number) => void,
): Promise<OpenedEngine> {
  const files = openModelFolder(folder, names);
  const options = { ...settings, missing: missingDevices(), prefixCache: process.env.SVC_PREFIX_KV_CACHE !== "0" };
  switch (profile.engine) {
    case "onnx-embedding": {
      const { openOnnxEmbeddingModel } = await import("../engines/onnx_embedding/open_onnx_embedding_model.ts");
      return { kind: "embedding", model: await openOnnxEmbeddingModel(files, options) };
    }
    case "onnx-rerank": {
      const { openOnnxRerankModel } = await import("../engines/onnx_rerank/open_onnx_rerank_model.ts");
      return { kind: "rerank", model: await openOnnxRerankModel(files, options) };
    }
    case "onnx-diffusion": {
      const { openOnnxDiffusionModel } = await import("../engines/onnx_diffusion/open_onnx_diffusion_model.ts");
      return await chatting(await openOnnxDiffusionModel(files, options));
    }
    default:
      throw new Error(`Cannot open the model: engine ${profile.engine} is not part of this version`);
  }
}

async function chatting(model: LanguageModel): Promise<OpenedEngine> {
  const { ChatModel } = await import("../engines/chat_model.ts");
  return { kind: "chat", model, chats: new ChatModel(model, chatRandom) };
}
