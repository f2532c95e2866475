/**
 * Turns token sequences into vectors.
 *
 * @module
 */
import type { EncoderGraph, EncoderOutput } from "../onnx_encoder/encoder_graph.ts";
import type { TokenSequence } from "../onnx_encoder/token_sequence.ts";
import type { LoadedDense } from "./dense_layer.ts";
import type { EmbeddingRecipe } from "./embedding_recipe.ts";
import { normalized, pool } from "./pooling.ts";

/** The output with the vector of a text, in graphs that include pooling. */
export const TEXT_OUTPUT = "sentence_embedding";

/** Outputs with vectors, by the names that exports use; the first one present is used. */
export const VECTOR_OUTPUTS: readonly string[] = [TEXT_OUTPUT, "last_hidden_state", "token_embeddings"];

/** A graph and its post-processing. */
export interface EmbedderParts {
  readonly graph: EncoderGraph;
  readonly recipe: EmbeddingRecipe;
  /** The weights of `recipe.dense`. */
  readonly dense: readonly LoadedDense[];
}

/** Embeds batches. */
export class Embedder {
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
