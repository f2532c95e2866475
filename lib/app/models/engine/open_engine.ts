/**
 * Opens models inside engine processes.
 *
 * @module
 */
import { ChatModel } from "../../../engines/text/chat_model.ts";
import type { EngineModel } from "../../../engines/process/engine_messages.ts";
import type { EngineOptions, EngineSettings } from "../../../engines/process/engine_settings.ts";
import { GrammarConstrainer } from "../../../engines/constrained_decoding/grammar_constrainer.ts";
import type { LanguageModel } from "../../../engines/text/language_model.ts";
import type { ModelFiles } from "../../../engines/files/model_files.ts";
import type { EngineId } from "../../../engines/files/model_profile.ts";
import type { OpenedEngine } from "../../../engines/process/opened_engine.ts";
import { environmentVariable } from "../../../platform/processes/environment.ts";
import { chatRandom } from "./chat_random.ts";
import { loadXGrammar } from "./load_xgrammar.ts";
import { missingDevices } from "./missing_devices.ts";
import { openModelFolder } from "./model_folder.ts";

/** Opens a model with the engine that its profile names. Engines are imported on demand. */
export async function openEngine(
  { folder, files: names, profile }: EngineModel,
  settings: EngineSettings,
  onProgress: (fraction: number) => void,
): Promise<OpenedEngine> {
  const files = openModelFolder(folder, names);
  const options: EngineOptions = {
    ...settings,
    onProgress,
    openConstrainer: (vocabulary) => new GrammarConstrainer(vocabulary, loadXGrammar),
    prefixCache: environmentVariable("SVC_PREFIX_KV_CACHE") !== "0",
    missing: missingDevices(),
  };
  switch (profile.kind) {
    case "chat": {
      const model = await openLanguageModel(profile.engine, files, options);
      return { kind: "chat", model, chats: new ChatModel(model, chatRandom) };
    }
    case "embedding": {
      const { openOnnxEmbeddingModel } = await import("../../../engines/onnx_embedding/open_onnx_embedding_model.ts");
      return { kind: "embedding", model: await openOnnxEmbeddingModel(files, options) };
    }
    case "rerank": {
      const { openOnnxRerankModel } = await import("../../../engines/onnx_rerank/open_onnx_rerank_model.ts");
      return { kind: "rerank", model: await openOnnxRerankModel(files, options) };
    }
  }
}

async function openLanguageModel(engine: EngineId, files: ModelFiles, options: EngineOptions): Promise<LanguageModel> {
  switch (engine) {
    case "onnx-text": {
      const { openOnnxTextModel } = await import("../../../engines/onnx_text/open_onnx_text_model.ts");
      return await openOnnxTextModel(files, options);
    }
    case "gguf-text": {
      const { openGgufTextModel } = await import("../../../engines/gguf_text/open_gguf_text_model.ts");
      return await openGgufTextModel(files, options);
    }
    case "onnx-diffusion": {
      const { openOnnxDiffusionModel } = await import("../../../engines/onnx_diffusion/open_onnx_diffusion_model.ts");
      return await openOnnxDiffusionModel(files, options);
    }
    default:
      throw new Error(`Cannot open the model: its engine is ${engine}, which does not chat`);
  }
}
