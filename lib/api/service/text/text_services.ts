/**
 * Embeddings and reranking.
 *
 * @module
 */
import { embed, rerank } from "../../../engines/onnx_encoder/encoder_operations.ts";
import type { ApiRuntime } from "../api_runtime.ts";
import { choosePrompt } from "./embedding_prompt.ts";
import { readEmbeddingRequest, readRerankRequest } from "./text_requests.ts";
import type { ModelDirectory } from "../model_directory.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import { testWarnings } from "../../../store/catalog/test_model.ts";

/** What these services depend on. */
export interface TextServiceOptions {
  readonly directory: ModelDirectory;
  readonly runtime: ApiRuntime;
}

/** Answer of `POST /v1/embeddings`. */
export interface EmbeddingList {
  /** Kind of this record. */
  readonly object: "list";
  /** Id of the model. */
  readonly model: string;
  /** In the order of the texts. */
  readonly data: readonly {
    readonly object: "embedding";
    readonly index: number;
    readonly embedding: readonly number[];
  }[];
  /** Tokens of the request. */
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
}

/** Answer of `POST /v1/rerank`. */
export interface RerankList {
  /** Kind of this record. */
  readonly object: "list";
  /** Id of the model. */
  readonly model: string;
  /** Best first. */
  readonly results: readonly {
    /** Index of the document in the request. */
    readonly index: number;
    /** Between 0 and 1. */
    readonly relevance_score: number;
    readonly document?: { readonly text: string };
  }[];
  /** Tokens of the request. */
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
}

/** A request that has passed all validation that needs no model. */
export interface PreparedTexts<T> {
  readonly warnings: readonly string[];
  /**
   * Waits for a slot and for the model, and answers.
   *
   * @throws {SvcError} for every reason of the pool.
   * @throws {SvcError} `context_length_exceeded` for a text that is too long.
   * @throws the reason of `signal` when it aborts.
   */
  run(signal: AbortSignal): Promise<T>;
}

/** Checks an embeddings request. Throws {@linkcode SvcError}. */
export async function prepareEmbeddings(
  body: unknown,
  options: TextServiceOptions,
): Promise<PreparedTexts<EmbeddingList>> {
  const { model: name, texts, isAlone, prompt: choice, warnings } = readEmbeddingRequest(body);
  const { model, profile } = await options.directory.findFor(name, "embedding", "embed the texts");
  const prompt = choosePrompt(choice, profile.prompts ?? []);
  return {
    warnings: [...warnings, ...testWarnings(model)],
    run: async (signal) => {
      const request = { model, operation: embed, input: { texts, prompt } };
      const { vectors, promptTokens } = await options.runtime.perform(request, signal).catch((error) => {
        throw isAlone ? withoutIndex(error) : error;
      });
      for (const vector of vectors) checkNumbers(vector, model.id);
      return {
        object: "list",
        model: model.id,
        data: vectors.map((vector, index) => ({ object: "embedding", index, embedding: Array.from(vector) })),
        usage: usage(promptTokens),
      };
    },
  };
}

/** Checks a rerank request. Throws {@linkcode SvcError}. */
export async function prepareRerank(body: unknown, options: TextServiceOptions): Promise<PreparedTexts<RerankList>> {
  const { model: name, query, documents, topN, returnDocuments, warnings } = readRerankRequest(body);
  const model = (await options.directory.findFor(name, "rerank", "rerank the documents")).model;
  return {
    warnings: [...warnings, ...testWarnings(model)],
    run: async (signal) => {
      const request = { model, operation: rerank, input: { query, texts: documents } };
      const { scores, promptTokens } = await options.runtime.perform(request, signal);
      checkNumbers(scores, model.id);
      const ranked = scores.map((score, index) => ({
        index,
        relevance_score: score,
        ...(returnDocuments ? { document: { text: documents[index] } } : {}),
      }));
      ranked.sort((a, b) => b.relevance_score - a.relevance_score || a.index - b.index);
      return { object: "list", model: model.id, results: ranked.slice(0, topN), usage: usage(promptTokens) };
    },
  };
}

/** An error about a text that the client has not sent in a list. */
function withoutIndex(error: unknown): unknown {
  if (!(error instanceof SvcError) || error.param !== "input[0]") return error;
  const { code, message, type, cause } = error;
  return new SvcError(code, message.replace("input[0]", "input"), { param: "input", type, cause });
}

/** JSON has no notation for the results of broken weights. */
function checkNumbers(numbers: Iterable<number>, model: string): void {
  for (const number of numbers) {
    if (Number.isFinite(number)) continue;
    const message =
      `Cannot finish the request: the model ${model} returned a value that is not a number, its files are damaged ` +
      "or their type overflows on this device";
    throw new SvcError("invalid_output", message);
  }
}

function usage(tokens: number): EmbeddingList["usage"] {
  return { prompt_tokens: tokens, total_tokens: tokens };
}
