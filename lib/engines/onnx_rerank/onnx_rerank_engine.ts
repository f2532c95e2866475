/**
 * Reranking models.
 *
 * @module
 */
import { rerank } from "../onnx_encoder/encoder_operations.ts";
import { handle } from "../contract/operation.ts";
import type { EngineEntry } from "../contract/engine_entry.ts";

/** Cross-encoders, and causal language models that judge a pair, on ONNX Runtime. */
export const onnxRerankEngine: EngineEntry = {
  kind: "rerank",
  readProfile: async (files) => await (await import("./read_rerank_profile.ts")).readRerankProfile(files),
  open: async (files, options) => {
    const { readCausalScore } = await import("./read_rerank_profile.ts");
    const { openCausalRerankModel, openOnnxRerankModel } = await import("./onnx_rerank_models.ts");
    const causal = await readCausalScore(files);
    const model = causal === undefined
      ? await openOnnxRerankModel(files, options)
      : await openCausalRerankModel(files, causal, options);
    const operations = handle(
      rerank,
      ({ query, texts }, { signal, prepare }) => model.rerank(query, texts, signal, { prepare }),
    );
    return { kind: "operations", model, operations };
  },
};
