/**
 * Models for embedding and ranking in GGUF.
 *
 * @module
 */
import { embed, rerank } from "../onnx_encoder/encoder_operations.ts";
import { handle } from "../contract/operation.ts";
import type { EngineEntry } from "../contract/engine_entry.ts";

/** Embedding models on llama.cpp. */
export const ggufEmbeddingEngine: EngineEntry = {
  kind: "embedding",
  readProfile: async (files) =>
    await (await import("./read_gguf_retrieval_profile.ts")).readGgufEmbeddingProfile(files),
  open: async (files, options) => {
    const { openGgufEmbeddingModel } = await import("./gguf_retrieval_models.ts");
    const model = await openGgufEmbeddingModel(files, options);
    const operations = handle(embed, ({ texts }, { signal, prepare }) => model.embed(texts, signal, { prepare }));
    return { kind: "operations", model, operations };
  },
};

/** Rerankers on llama.cpp. */
export const ggufRerankEngine: EngineEntry = {
  kind: "rerank",
  readProfile: async (files) => await (await import("./read_gguf_retrieval_profile.ts")).readGgufRerankProfile(files),
  open: async (files, options) => {
    const { openGgufRerankModel } = await import("./gguf_retrieval_models.ts");
    const model = await openGgufRerankModel(files, options);
    const operations = handle(
      rerank,
      ({ query, texts }, { signal, prepare }) => model.rerank(query, texts, signal, { prepare }),
    );
    return { kind: "operations", model, operations };
  },
};
