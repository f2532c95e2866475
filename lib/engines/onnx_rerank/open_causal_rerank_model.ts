/**
 * Rerank models that are causal language models.
 *
 * @module
 */
import { readTokenizer } from "../files/tokenizer_files.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { readModelJson } from "../files/model_json.ts";
import type { GraphSettings } from "../onnx_encoder/encoder_graph.ts";
import type { RerankOutcome } from "../onnx_encoder/encoder_operations.ts";
import { SequenceEncoder } from "../onnx_encoder/sequence_encoder.ts";
import {
  documentPurpose,
  prepareAtOnce,
  sequencesWithin,
  sequenceWithin,
  type TokenSequence,
} from "../onnx_encoder/token_sequence.ts";
import type { Decoder } from "../onnx_text/decoder/decoder.ts";
import { openDecoder } from "../onnx_text/decoder/open_decoder.ts";
import { inTurn } from "../../scheduling/in_turn.ts";
import { KvBuffer } from "../onnx_text/kv_places/kv_buffer.ts";
import type { CausalScore } from "./causal_score.ts";
import type { RerankModel } from "./open_onnx_rerank_model.ts";
import { rerankContext } from "./read_rerank_profile.ts";

/** Tokens of a step, behind each of which the request can be aborted. */
const CHUNK = 128;

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

/** The logits behind a text. */
async function lastLogits(decoder: Decoder, ids: readonly number[], signal: AbortSignal): Promise<Float32Array> {
  const buffer = new KvBuffer(decoder.graph, 1, ids.length);
  try {
    for (let at = 0;; at += CHUNK) {
      signal.throwIfAborted();
      const tokens = ids.slice(at, at + CHUNK);
      const [[logits]] = await decoder.run({ buffer, lengths: [at], tokens: [tokens], wanted: 1 });
      if (at + tokens.length === ids.length) return logits;
    }
  } finally {
    buffer.dispose();
  }
}
