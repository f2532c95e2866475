/**
 * Embedding models on ONNX Runtime.
 *
 * @module
 */
import { readTokenizer } from "../files/hf_tokenizer.ts";
import type { ModelFiles } from "../files/model_files.ts";
import { readModelJson } from "../files/model_json.ts";
import type { EmbeddingModelProfile } from "../files/model_profile.ts";
import type { OpenModel } from "../process/opened_engine.ts";
import type { EmbeddingOutcome } from "../onnx_encoder/encoder_operations.ts";
import { EncoderGraph, type GraphSettings } from "../onnx_encoder/encoder_graph.ts";
import { readSignature } from "../onnx_encoder/graph_signature.ts";
import { SequenceEncoder } from "../onnx_encoder/sequence_encoder.ts";
import { runBatches } from "../onnx_encoder/run_batches.ts";
import { sequenceWithin } from "../onnx_encoder/token_sequence.ts";
import { loadDense } from "./dense_layer.ts";
import { Embedder, TEXT_OUTPUT } from "./embedder.ts";
import { readEmbeddingRecipe } from "./embedding_recipe.ts";
import { readMessageFormat } from "./message_format.ts";
import { embeddingContext } from "./read_embedding_profile.ts";

/** An embedding model. */
export interface EmbeddingModel extends OpenModel {
  readonly profile: EmbeddingModelProfile;
  /** Embeds texts; see the operation `embed`. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddingOutcome>;
}

/**
 * Opens an embedding model in Hugging Face layout, with or without the files of sentence-transformers.
 *
 * @throws {Error} naming the file that is missing or unusable.
 */
export async function openOnnxEmbeddingModel(files: ModelFiles, settings: GraphSettings): Promise<EmbeddingModel> {
  const config = await readModelJson(files, "config.json") ?? {};
  const signature = await readSignature(files);
  const recipe = await readEmbeddingRecipe(files, config, signature?.outputs.has(TEXT_OUTPUT) ?? false);
  const context = await embeddingContext(files, config);
  const encoder = new SequenceEncoder(await readTokenizer(files), config);
  const asMessage = await readMessageFormat(files, recipe.prompt);
  const encode = (text: string) =>
    asMessage === undefined ? encoder.text(recipe.prompt + text) : encoder.written(asMessage(text));
  const dense = await Promise.all(recipe.dense.map((layer) => loadDense(files, layer)));
  const promptTokens = recipe.includePrompt || asMessage !== undefined ? 0 : encoder.lengthBeforeEnd(recipe.prompt);
  const graph = await EncoderGraph.open(files, config, settings);
  try {
    const embedder = new Embedder({ graph, recipe, dense, promptTokens });
    // Inconsistent files are detected now, not by the first request.
    const [{ length: dimensions }] = await embedder.run([encode("a")]);
    const profile: EmbeddingModelProfile = { kind: "embedding", engine: "onnx-embedding", context, dimensions };
    return {
      profile,
      device: graph.device,
      async embed(texts, signal) {
        const sequences = texts.map((text, i) =>
          sequenceWithin(encode, text, { context, what: `embed input[${i}]`, param: `input[${i}]` })
        );
        return {
          vectors: await runBatches(sequences, (batch) => embedder.run(batch), signal),
          promptTokens: sequences.reduce((total, { ids }) => total + ids.length, 0),
        };
      },
      close: () => graph.close(),
    };
  } catch (error) {
    await graph.close();
    throw error;
  }
}
