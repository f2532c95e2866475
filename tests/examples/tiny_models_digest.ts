/**
 * A digest of tiny models of all kinds; run as a program, it prints it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import process from "node:process";
import { embeddingModel } from "../fixtures/tiny_models/embedding_model.ts";
import { ggufChatModel } from "../fixtures/tiny_models/gguf_chat_model.ts";
import { maskedDiffusionModel } from "../fixtures/tiny_models/masked_diffusion_model.ts";
import { onnxChatModel } from "../fixtures/tiny_models/onnx_chat_model.ts";
import { rerankModel } from "../fixtures/tiny_models/rerank_model.ts";

/** SHA-256 of all files with their paths. */
export function tinyModelsDigest(): string {
  const models = [
    onnxChatModel({ kind: "gqa", weights: "q4" }),
    onnxChatModel({ weights: "q8", externalData: true, halfCache: true }),
    ggufChatModel({ weights: "q8_0" }),
    embeddingModel(),
    rerankModel(),
    maskedDiffusionModel(),
  ];
  const hash = createHash("sha256");
  for (const [path, bytes] of models.flatMap((model) => Object.entries(model))) hash.update(path).update(bytes);
  return hash.digest("hex");
}

// deno-lint-ignore no-console
if (process.argv[1]?.endsWith("tiny_models_digest.ts")) console.log(tinyModelsDigest());
