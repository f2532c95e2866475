/**
 * Rerank models on ONNX Runtime.
 *
 * @module
 */
import { readTokenizer } from "../files/tokenizer_files.ts";
import type { ModelFiles, OpenModel } from "../contract/engine_entry.ts";
import { readModelJson } from "../files/model_json.ts";
import type { RerankModelProfile } from "../contract/model_profile.ts";
import type { RerankOutcome } from "../onnx_encoder/encoder_operations.ts";
import { EncoderGraph, type GraphSettings } from "../onnx_encoder/encoder_graph.ts";
import { SequenceEncoder } from "../onnx_encoder/sequence_encoder.ts";
import { runBatches } from "../onnx_encoder/run_batches.ts";
import {
  documentPurpose,
  type EncodingOptions,
  prepareAtOnce,
  sequencesWithin,
  sequenceWithin,
  type TokenSequence,
} from "../onnx_encoder/token_sequence.ts";
import { rerankContext } from "./read_rerank_profile.ts";

/** A reranking model. */
export interface RerankModel extends OpenModel {
  readonly profile: RerankModelProfile;
  /** Ranks texts; see the operation `rerank`. */
  rerank(
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
    options?: EncodingOptions,
  ): Promise<RerankOutcome>;
}

/**
 * Opens a cross-encoder in Hugging Face layout: a sequence classifier of pairs with one or two classes.
 *
 * @throws {Error} naming the file that is missing or unusable.
 */
export async function openOnnxRerankModel(files: ModelFiles, settings: GraphSettings): Promise<RerankModel> {
  const config = await readModelJson(files, "config.json") ?? {};
  const context = await rerankContext(files, config);
  const encoder = new SequenceEncoder(await readTokenizer(files), config);
  const graph = await EncoderGraph.open(files, config, settings);
  try {
    // Inconsistent files are detected now, not by the first request.
    await scores(graph, [encoder.pairsWith("a")("a")]);
  } catch (error) {
    await graph.close();
    throw error;
  }
  return {
    profile: { kind: "rerank", engine: "onnx-rerank", context },
    device: graph.device,
    async rerank(query, texts, signal, { prepare = prepareAtOnce } = {}) {
      const sequences = await prepare(() => {
        sequenceWithin((text) => encoder.text(text), query, { context, what: "rank with the query", param: "query" });
        return sequencesWithin(encoder.pairsWith(query), texts, (i) => documentPurpose(i, context), signal);
      });
      return {
        scores: await runBatches(sequences, (batch) => scores(graph, batch), signal),
        promptTokens: sequences.reduce((total, { ids }) => total + ids.length, 0),
      };
    },
    close: () => graph.close(),
  };
}

async function scores(graph: EncoderGraph, sequences: readonly TokenSequence[]): Promise<number[]> {
  if (!graph.outputs.includes("logits")) {
    throw new Error(`Cannot rank with ${graph.file}: its outputs are ${graph.outputs.join(", ")}, expected logits`);
  }
  const { data, shape } = await graph.run(sequences, "logits");
  const classes = shape.slice(1).reduce((product, size) => product * size, 1);
  if (shape.length > 2 || classes < 1 || classes > 2) {
    throw new Error(`Cannot rank with ${graph.file}: its logits are [${shape}], expected one or two for each pair`);
  }
  return sequences.map((_, i) => {
    // The probability of the second of two classes is the sigmoid of the difference.
    const score = classes === 1 ? data[i] : data[2 * i + 1] - data[2 * i];
    if (!Number.isNaN(score)) return 1 / (1 + Math.exp(-score));
    throw new Error(`Cannot rank with ${graph.file}: its logits are not finite, use another quantization of the model`);
  });
}
