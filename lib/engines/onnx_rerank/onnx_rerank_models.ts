/**
 * Rerank models on ONNX Runtime: cross-encoders, and causal language models.
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
import {
  documentPurpose,
  type EncodingOptions,
  prepareAtOnce,
  runBatches,
  sequencesWithin,
  sequenceWithin,
  type TokenSequence,
} from "../onnx_encoder/token_sequence.ts";
import { type CausalScore, rerankContext } from "./read_rerank_profile.ts";
import type { Decoder } from "../onnx_text/decoder/decoder.ts";
import { openDecoder } from "../onnx_text/decoder/open_decoder.ts";
import { inTurn } from "../../scheduling/wait_queue.ts";
import { KvBuffer } from "../onnx_text/kv_places/kv_buffer.ts";

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

/** Tokens of a prefill step, after each of which the request can be aborted. */
const PREFILL_CHUNK = 128;

/** @throws {Error} naming the file that is missing or unusable. */
export async function openCausalRerankModel(
  files: ModelFiles,
  { fits, fitsNot, render }: CausalScore,
  settings: GraphSettings,
): Promise<RerankModel> {
  const config = await readModelJson(files, "config.json") ?? {};
  const context = await rerankContext(files, config);
  const encoder = new SequenceEncoder(await readTokenizer(files), config);
  const { decoder, device, tried, name, width } = await openDecoder(files, { ...settings, onProgress: () => {} });
  if (Math.max(fits, fitsNot ?? 0) >= width) {
    await decoder.close();
    throw new Error(
      `Cannot rank with ${name}: it has ${width} logits, expected one for token ${fits} and its opposite`,
    );
  }
  const turn = inTurn();
  const rank = async (sequences: readonly TokenSequence[], signal: AbortSignal): Promise<RerankOutcome> => {
    const scores: number[] = [];
    for (const { ids } of sequences) {
      const logits = await lastLogits(decoder, ids, signal);
      const score = logits[fits] - (fitsNot === undefined ? 0 : logits[fitsNot]);
      if (Number.isNaN(score)) {
        throw new Error(`Cannot rank with ${name}: its logits are not finite, use another quantization of the model`);
      }
      scores.push(1 / (1 + Math.exp(-score)));
    }
    return { scores, promptTokens: sequences.reduce((total, { ids }) => total + ids.length, 0) };
  };
  return {
    profile: { kind: "rerank", engine: "onnx-rerank", context },
    device,
    tried,
    async rerank(query, texts, signal, { prepare = prepareAtOnce } = {}) {
      const sequences = await prepare(() => {
        sequenceWithin((text) => encoder.text(text), query, { context, what: "rank with the query", param: "query" });
        const encode = (text: string) => encoder.written(render(query, text));
        return sequencesWithin(encode, texts, (i) => documentPurpose(i, context), signal);
      });
      // Calls of a decoder must not overlap.
      return await turn(() => rank(sequences, signal));
    },
    close: () => decoder.close(),
  };
}

/** The logits after a text. */
async function lastLogits(decoder: Decoder, ids: readonly number[], signal: AbortSignal): Promise<Float32Array> {
  const buffer = new KvBuffer(decoder.graph, 1, ids.length);
  try {
    for (let at = 0;; at += PREFILL_CHUNK) {
      signal.throwIfAborted();
      const tokens = ids.slice(at, at + PREFILL_CHUNK);
      const [[logits]] = await decoder.run({ buffer, lengths: [at], tokens: [tokens], wanted: 1 });
      if (at + tokens.length === ids.length) return logits;
    }
  } finally {
    buffer.dispose();
  }
}
