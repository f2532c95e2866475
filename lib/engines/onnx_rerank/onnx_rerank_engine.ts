/**
 * Reranking models.
 *
 * @module
 */
import { rerank } from "../onnx_encoder/encoder_operations.ts";
import { handle } from "../contract/operation.ts";
import type { EngineEntry } from "../contract/engine_entry.ts";

/** Cross-encoders on ONNX Runtime. */
export const onnxRerankEngine: EngineEntry = {
  kind: "rerank",
  readProfile: async (files) => await (await import("./read_rerank_profile.ts")).readRerankProfile(files),
  open: async (files, options) => {
    const causal = await (await import("./causal_score.ts")).readCausalScore(files);
    const model = causal === undefined
      ? await (await import("./open_onnx_rerank_model.ts")).openOnnxRerankModel(files, options)
      : await (await import("./open_causal_rerank_model.ts")).openCausalRerankModel(files, causal, options);
    const operations = handle(
      rerank,
      ({ query, texts }, { signal, prepare }) => model.rerank(query, texts, signal, { prepare }),
    );
    return { kind: "operations", model, operations };
  },
};
