/**
 * Embedding models.
 *
 * @module
 */
import { embed } from "../onnx_encoder/encoder_operations.ts";
import { handle } from "../contract/operation.ts";
import type { EngineEntry } from "../contract/engine_entry.ts";

/** Encoders and their poolings on ONNX Runtime. */
export const onnxEmbeddingEngine: EngineEntry = {
  kind: "embedding",
  readProfile: async (files) => await (await import("./read_embedding_profile.ts")).readEmbeddingProfile(files),
  open: async (files, options) => {
    const { openOnnxEmbeddingModel } = await import("./onnx_embedding_model.ts");
    const model = await openOnnxEmbeddingModel(files, options);
    const operations = handle(
      embed,
      ({ texts, prompt }, { signal, prepare }) => model.embed(texts, signal, { prompt, prepare }),
    );
    return { kind: "operations", model, operations };
  },
};
