/**
 * Embeddings and rankings beside the libraries alone, which get the tokens ready.
 *
 * @module
 */
import type { Token } from "node-llama-cpp";
import { loadOnnxRuntime } from "../../lib/compute/onnx/load_onnxruntime.ts";
import { readTokenizer } from "../../lib/engines/files/tokenizer_files.ts";
import type { ModelFiles } from "../../lib/engines/contract/engine_entry.ts";
import { openLlama } from "../../lib/engines/gguf_text/open_llama.ts";
import { openGgufEmbeddingModel, openGgufRerankModel } from "../../lib/engines/gguf_retrieval/gguf_retrieval_models.ts";
import { openOnnxEmbeddingModel } from "../../lib/engines/onnx_embedding/onnx_embedding_model.ts";
import { packSequences, type TokenSequence } from "../../lib/engines/onnx_encoder/token_sequence.ts";
import { SequenceEncoder } from "../../lib/engines/onnx_encoder/sequence_encoder.ts";
import { openOnnxRerankModel } from "../../lib/engines/onnx_rerank/onnx_rerank_models.ts";
import { embeddingModel } from "../fixtures/tiny_models/embedding_model.ts";
import { ggufEmbeddingModel, ggufRerankModel } from "../fixtures/tiny_models/gguf_retrieval_models.ts";
import { rerankModel } from "../fixtures/tiny_models/rerank_model.ts";
import { withModelFiles } from "../support/model_files.ts";
import { inTurns, milliseconds, turnCells } from "./in_turns.ts";
import { printTable } from "./table.ts";

/** The sizes of bge-small (Xiao et al. 2023), without its vocabulary: looking words up takes no time. */
const SIZES = { hidden: 384, layers: 12, heads: 12, ffn: 1536, context: 512 };
const TEXTS = 16;
const ROUNDS = 11;

const never = new AbortController().signal;
const query = "Where does the boat leave for the island in the lake?";
/** Of 40 to 100 tokens: letters are tokens of this vocabulary. */
const texts = Array.from({ length: TEXTS }, (_, i) => `Boat ${i} leaves at ${i} o'clock. `.repeat(2 + i % 3).trim());

/** Prints the table. Each row has the same weights and texts on both sides, in one process. */
export async function retrievalBench(threads: number): Promise<void> {
  const options = { device: "cpu", threads, missing: [], onProgress: () => {} };
  const rows: string[][] = [];
  await withModelFiles(embeddingModel({ sizes: SIZES }), async (files) => {
    const model = await openOnnxEmbeddingModel(files, options);
    const encoder = new SequenceEncoder(await readTokenizer(files), {});
    const alone = await onnxAlone(files, threads, "last_hidden_state", texts.map((text) => encoder.text(text)));
    const turns = await inTurns(ROUNDS, () => milliseconds(() => model.embed(texts, never)), () => milliseconds(alone));
    rows.push(["onnx-embedding, onnxruntime", ...turnCells(turns)]);
    await model.close();
  });
  await withModelFiles(rerankModel({ sizes: SIZES }), async (files) => {
    const model = await openOnnxRerankModel(files, options);
    const pair = new SequenceEncoder(await readTokenizer(files), {}).pairsWith(query);
    const alone = await onnxAlone(files, threads, "logits", texts.map(pair));
    const turns = await inTurns(
      ROUNDS,
      () => milliseconds(() => model.rerank(query, texts, never)),
      () => milliseconds(alone),
    );
    rows.push(["onnx-rerank, onnxruntime", ...turnCells(turns)]);
    await model.close();
  });
  const { llama } = await openLlama("cpu");
  const load = (files: ModelFiles) => llama.loadModel({ modelPath: files.path(files.names[0]) });
  const sizes = { contextSize: SIZES.context, batchSize: SIZES.context, threads };
  await withModelFiles(ggufEmbeddingModel({ kind: "bert", pooling: "mean", sizes: SIZES }), async (files) => {
    const model = await openGgufEmbeddingModel(files, options);
    const library = await load(files);
    const context = await library.createEmbeddingContext(sizes);
    const { bos, eos } = library.tokens;
    const inputs = texts.map((text) => [bos!, ...library.tokenize(text, false), eos!] as Token[]);
    const alone = async () => {
      for (const input of inputs) await context.getEmbeddingFor(input);
    };
    const turns = await inTurns(ROUNDS, () => milliseconds(() => model.embed(texts, never)), () => milliseconds(alone));
    rows.push(["gguf-embedding, node-llama-cpp", ...turnCells(turns)]);
    await model.close();
    await library.dispose();
  });
  await withModelFiles(ggufRerankModel({ sizes: SIZES }), async (files) => {
    const model = await openGgufRerankModel(files, options);
    const library = await load(files);
    const context = await library.createRankingContext(sizes);
    const alone = async () => {
      for (const text of texts) await context.rank(query, text);
    };
    const turns = await inTurns(
      ROUNDS,
      () => milliseconds(() => model.rerank(query, texts, never)),
      () => milliseconds(alone),
    );
    rows.push(["gguf-rerank, node-llama-cpp", ...turnCells(turns)]);
    await model.close();
    await library.dispose();
  });
  printTable(
    [`bge-small sizes, ${TEXTS} texts, threads: ${threads}; ms`, "svc", "the library alone", "speed kept (quartiles)"],
    rows,
  );
}

/** Runs the same batches with ONNX Runtime, made beforehand. */
async function onnxAlone(
  files: ModelFiles,
  threads: number,
  output: string,
  sequences: readonly TokenSequence[],
): Promise<() => Promise<void>> {
  const { InferenceSession, Tensor } = await loadOnnxRuntime();
  const session = await InferenceSession.create(files.path("onnx/model.onnx"), { intraOpNumThreads: threads });
  const feeds = packSequences(sequences.map(({ ids }) => ids.length)).map((indices) => {
    const batch = indices.map((index) => sequences[index]);
    const width = Math.max(...batch.map(({ ids }) => ids.length));
    const input = (value: (sequence: TokenSequence, at: number) => number) => {
      const values = batch.flatMap((sequence) => Array.from({ length: width }, (_, at) => BigInt(value(sequence, at))));
      return new Tensor("int64", BigInt64Array.from(values), [batch.length, width]);
    };
    return {
      input_ids: input(({ ids }, at) => ids[at] ?? 0),
      attention_mask: input(({ ids }, at) => at < ids.length ? 1 : 0),
      token_type_ids: input(({ types }, at) => types[at] ?? 0),
    };
  });
  return async () => {
    for (const feed of feeds) await session.run(feed, [output]);
  };
}
