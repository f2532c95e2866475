import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { embeddingModel } from "../fixtures/tiny_models/embedding_model.ts";
import { ggufChatModel } from "../fixtures/tiny_models/gguf_chat_model.ts";
import { ggufVisionModel } from "../fixtures/tiny_models/gguf_vision_model.ts";
import { maskedDiffusionModel } from "../fixtures/tiny_models/masked_diffusion_model.ts";
import { imageModel } from "../fixtures/tiny_models/image_model.ts";
import type { ModelFiles } from "../fixtures/tiny_models/model_files.ts";
import { onnxChatModel } from "../fixtures/tiny_models/onnx_chat_model.ts";
import { rerankModel } from "../fixtures/tiny_models/rerank_model.ts";
import { tdtModel } from "../fixtures/tiny_models/tdt_model.ts";
import { transcriptionModel } from "../fixtures/tiny_models/transcription_model.ts";
import { libraryVisionModel } from "../fixtures/tiny_models/library_vision_model.ts";
import { visionChatModel } from "../fixtures/tiny_models/vision_chat_model.ts";
import { VISION_MODEL_IDS, visionModel, type VisionModelId } from "../fixtures/tiny_models/vision_models.ts";
import { zimageModel } from "../fixtures/tiny_models/zimage_model.ts";
import { writeModel } from "../fixtures/tiny_models/write_model.ts";
import { addModel } from "../../lib/store/add_model.ts";
import { openModelStore } from "../../lib/store/model_store.ts";

const visionModels = Object.fromEntries(VISION_MODEL_IDS.map((id) => [id, () => visionModel(id)])) as Record<
  VisionModelId,
  () => ModelFiles
>;

/** Tiny real models by the id that they get in a store. */
const models = {
  "tiny-chat": () => onnxChatModel({ kind: "gqa", weights: "q4", logitsToKeep: true }),
  "tiny-gguf": () => ggufChatModel(),
  "tiny-gguf-vision": () => ggufVisionModel(),
  "tiny-gguf-draft": () => ggufChatModel({ weights: "q4_0" }),
  "tiny-embed": () => embeddingModel(),
  "tiny-rerank": () => rerankModel(),
  "tiny-diffusion": () => maskedDiffusionModel(),
  "tiny-vision": () => visionChatModel(),
  "tiny-qwen-vision": () => libraryVisionModel("qwen2_vl"),
  ...visionModels,
  "tiny-vision-geometry-moge2-small": () => visionModel("vision-geometry-moge2-small"),
  "tiny-image": () => imageModel(),
  "tiny-image-base": () => imageModel({ distilled: false }),
  "tiny-z-image": () => zimageModel(),
  "tiny-transcription": () => transcriptionModel(),
  "tiny-tdt": () => tdtModel(),
} as const satisfies Record<string, () => ModelFiles>;

/** Id of a tiny model. */
export type TinyModel = keyof typeof models;

/**
 * Installs tiny models into the store of a home folder (`SVC_HOME`), as `svc model add` does. They stand for real ones,
 * unless they are marked as tests, as those of `npm run tiny-models` are.
 */
export async function installTinyModels(home: string, ids: readonly TinyModel[], test = false): Promise<void> {
  const store = openModelStore(join(home, "models"));
  for (const id of ids) {
    const folder = join(home, "sources", id);
    mkdirSync(folder, { recursive: true });
    writeModel(folder, models[id]());
    await addModel(store, { path: folder, id, test }, () => {}, new AbortController().signal);
  }
}
