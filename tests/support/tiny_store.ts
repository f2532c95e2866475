import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { embeddingModel } from "../../examples/tiny-models/embedding_model.ts";
import { ggufChatModel } from "../../examples/tiny-models/gguf_chat_model.ts";
import { maskedDiffusionModel } from "../../examples/tiny-models/masked_diffusion_model.ts";
import type { ModelFiles } from "../../examples/tiny-models/model_files.ts";
import { onnxChatModel } from "../../examples/tiny-models/onnx_chat_model.ts";
import { rerankModel } from "../../examples/tiny-models/rerank_model.ts";
import { visionChatModel } from "../../examples/tiny-models/vision_chat_model.ts";
import { writeModel } from "../../examples/tiny-models/write_model.ts";
import { addModel } from "../../lib/runtime/model_store/add_model.ts";
import { openModelStore } from "../../lib/runtime/model_store.ts";

/** Tiny real models by the id that they get in a store. */
const models = {
  "tiny-chat": () => onnxChatModel({ kind: "gqa", weights: "q4", logitsToKeep: true }),
  "tiny-gguf": () => ggufChatModel(),
  "tiny-embed": () => embeddingModel(),
  "tiny-rerank": () => rerankModel(),
  "tiny-diffusion": () => maskedDiffusionModel(),
  "tiny-vision": () => visionChatModel(),
} as const satisfies Record<string, () => ModelFiles>;

/** Id of a tiny model. */
export type TinyModel = keyof typeof models;

/** Installs tiny models into the store of a home folder (`SVC_HOME`), as `svc model add` does. */
export async function installTinyModels(home: string, ids: readonly TinyModel[]): Promise<void> {
  const store = openModelStore(join(home, "models"));
  for (const id of ids) {
    const folder = join(home, "sources", id);
    mkdirSync(folder, { recursive: true });
    writeModel(folder, models[id]());
    await addModel(store, { path: folder, id }, () => {}, new AbortController().signal);
  }
}
