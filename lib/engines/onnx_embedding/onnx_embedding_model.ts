/**
 * Embedding models on ONNX Runtime.
 *
 * @module
 */
import { readTokenizer } from "../files/tokenizer_files.ts";
import type { ModelFiles, OpenModel } from "../contract/engine_entry.ts";
import { readModelJson } from "../files/model_json.ts";
import type { EmbeddingModelProfile } from "../contract/model_profile.ts";
import type { EmbeddingOutcome } from "../onnx_encoder/encoder_operations.ts";
import { EncoderGraph, type EncoderOutput, type GraphSettings } from "../onnx_encoder/encoder_graph.ts";
import { readSignature } from "../onnx_encoder/encoder_files.ts";
import { SequenceEncoder } from "../onnx_encoder/sequence_encoder.ts";
import {
  type EncodingOptions,
  prepareAtOnce,
  runBatches,
  sequencesWithin,
  type TokenSequence,
} from "../onnx_encoder/token_sequence.ts";
import { loadDense, type LoadedDense, normalized, pool } from "./pooling.ts";
import {
  type EmbeddingRecipe,
  readEmbeddingRecipe,
  readMessageFormat,
  readPrompts,
  TEXT_OUTPUT,
  VECTOR_OUTPUTS,
} from "./embedding_recipe.ts";
import { embeddingContext, promptNames } from "./read_embedding_profile.ts";

/** How texts are embedded. */
interface EmbedOptions extends EncodingOptions {
  /** Name of the model's prompt that comes before each, empty for none; the usual one when left out. */
  readonly prompt?: string | undefined;
}

/** An embedding model. */
export interface EmbeddingModel extends OpenModel {
  readonly profile: EmbeddingModelProfile;
  /** Embeds texts; see the operation `embed`. */
  embed(texts: readonly string[], signal: AbortSignal, options?: EmbedOptions): Promise<EmbeddingOutcome>;
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
  const prompts = await readPrompts(files);
  /** How texts after a prompt are encoded, and how many tokens of it are not pooled. */
  const encoding = async (prompt: string) => {
    const asMessage = await readMessageFormat(files, prompt);
    return {
      encode: (text: string) =>
        asMessage === undefined ? encoder.text(prompt + text) : encoder.written(asMessage(text)),
      promptTokens: recipe.includePrompt || asMessage !== undefined ? 0 : encoder.lengthBeforeEnd(prompt),
    };
  };
  const usual = await encoding(recipe.prompt);
  const dense = await Promise.all(recipe.dense.map((layer) => loadDense(files, layer)));
  const graph = await EncoderGraph.open(files, config, settings);
  try {
    const embedder = new Embedder({ graph, recipe, dense });
    // Inconsistent files are detected now, not by the first request.
    const [{ length: dimensions }] = await embedder.run([usual.encode("a")], usual.promptTokens);
    const profile: EmbeddingModelProfile = {
      kind: "embedding",
      engine: "onnx-embedding",
      context,
      dimensions,
      ...await promptNames(files),
    };
    return {
      profile,
      device: graph.device,
      async embed(texts, signal, { prompt, prepare = prepareAtOnce } = {}) {
        const { encode, promptTokens } = prompt === undefined ? usual : await encoding(prompts.get(prompt) ?? "");
        const purpose = (i: number) => ({ context, what: `embed input[${i}]`, param: `input[${i}]` });
        const sequences = await prepare(() => sequencesWithin(encode, texts, purpose, signal));
        return {
          vectors: await runBatches(sequences, (batch) => embedder.run(batch, promptTokens), signal),
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

/** A graph and its post-processing. */
interface EmbedderParts {
  readonly graph: EncoderGraph;
  readonly recipe: EmbeddingRecipe;
  /** The weights of `recipe.dense`. */
  readonly dense: readonly LoadedDense[];
}

/** Embeds batches. */
class Embedder {
  readonly #parts: EmbedderParts;
  readonly #output: string;

  /** @throws {Error} when the graph has no vectors as outputs. */
  constructor(parts: EmbedderParts) {
    const { file, outputs } = parts.graph;
    const found = VECTOR_OUTPUTS.find((name) => outputs.includes(name));
    if (found === undefined) {
      throw new Error(
        `Cannot embed with ${file}: its outputs are ${outputs.join(", ")}, expected one of ${
          VECTOR_OUTPUTS.join(", ")
        }`,
      );
    }
    this.#parts = parts;
    this.#output = found;
  }

  /**
   * The vectors of sequences in one batch.
   *
   * @param promptTokens Number of prompt tokens at the start of each sequence that are excluded from pooling.
   */
  async run(sequences: readonly TokenSequence[], promptTokens: number): Promise<Float32Array[]> {
    const { graph, recipe } = this.#parts;
    const output = await graph.run(sequences, this.#output);
    return sequences.map(({ ids }, i) => {
      const vector = this.#output === TEXT_OUTPUT
        ? ready(output, i)
        : this.#pooled(output, i, ids.length, promptTokens);
      if (!vector.every(Number.isFinite)) throw unfit(graph.file);
      return Float32Array.from(recipe.normalize ? normalized(vector) : vector);
    });
  }

  #pooled(
    { data, shape: [, sequenceTokens, width] }: EncoderOutput,
    sequence: number,
    to: number,
    promptTokens: number,
  ): Float64Array<ArrayBuffer> {
    const { recipe, dense } = this.#parts;
    const tokens = data.subarray(sequence * sequenceTokens * width, (sequence + 1) * sequenceTokens * width);
    const from = Math.min(promptTokens, to - 1);
    const parts = recipe.poolings.map((pooling) => pool(tokens, width, from, to, pooling));
    let vector = Float64Array.from(parts.flatMap((part) => [...part]));
    for (const layer of dense) vector = layer(vector);
    return vector;
  }
}

/** The graph has done pooling and normalization. */
function ready({ data, shape: [, width] }: EncoderOutput, sequence: number): Float64Array<ArrayBuffer> {
  return Float64Array.from(data.subarray(sequence * width, (sequence + 1) * width));
}

function unfit(file: string): Error {
  return new Error(`Cannot embed with ${file}: its vectors are not finite, use another quantization of the model`);
}
