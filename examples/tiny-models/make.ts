// Writes tiny models of every kind: deno run -A examples/tiny-models/make.ts DIR, or npx tsx examples/tiny-models/make.ts DIR
import { join } from "node:path";
import process from "node:process";
import { embeddingModel } from "./embedding_model.ts";
import { ggufChatModel } from "./gguf_chat_model.ts";
import { maskedDiffusionModel } from "./masked_diffusion_model.ts";
import type { ModelFiles } from "./model_files.ts";
import { onnxChatModel } from "./onnx_chat_model.ts";
import { rerankModel } from "./rerank_model.ts";
import { visionChatModel } from "./vision_chat_model.ts";
import { writeModel } from "./write_model.ts";

const models: Readonly<Record<string, () => ModelFiles>> = {
  "tiny-chat": () => onnxChatModel({ kind: "gqa", weights: "q4", logitsToKeep: true }),
  "tiny-chat-std": () => onnxChatModel({ kind: "std" }),
  "tiny-chat-gguf": () => ggufChatModel({ weights: "q8_0" }),
  "tiny-diffusion": () => maskedDiffusionModel(),
  "tiny-vision": () => visionChatModel(),
  "tiny-embedding": () => embeddingModel(),
  "tiny-rerank": () => rerankModel(),
};

const [folder = "tiny-models"] = process.argv.slice(2);
for (const [id, make] of Object.entries(models)) {
  writeModel(join(folder, id), make());
  // deno-lint-ignore no-console
  console.log(`svc model add ${join(folder, id)} --id ${id}`);
}
