/**
 * Operations of encoders: embedding and ranking.
 *
 * @module
 */
import { type Operation, operation } from "../contract/operation.ts";

/** Embeddings of texts. */
export interface EmbeddingOutcome {
  /** In the order of the texts. */
  readonly vectors: readonly Float32Array[];
  /** Tokens of all texts. */
  readonly promptTokens: number;
}

/** Relevance scores of texts. */
export interface RerankOutcome {
  /** One per text, in order; larger is better, between 0 and 1. */
  readonly scores: readonly number[];
  readonly promptTokens: number;
}

/** Texts to embed. */
interface EmbeddingInput {
  readonly texts: readonly string[];
  /** Name of the model's prompt that comes before each, empty for none; undefined for the usual one. */
  readonly prompt?: string | undefined;
}

/**
 * Embeds texts, in batches of at most 8,192 padded tokens. Fails with `context_length_exceeded`, the index of the text
 * and both numbers.
 */
export const embed: Operation<EmbeddingInput, never, EmbeddingOutcome> = operation("embed");

/** Ranks texts by a query. Fails as {@linkcode embed}. */
export const rerank: Operation<
  { readonly query: string; readonly texts: readonly string[] },
  never,
  RerankOutcome
> = operation("rerank");
