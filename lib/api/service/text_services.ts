/**
 * Embeddings and reranking.
 *
 * @module
 */
import type { EmbeddingEngine, RerankEngine, SidecarEngine } from "../../engines/text/chat_engine.ts";
import type { InstalledModel } from "../store/installed_model.ts";
import type { ApiRuntime } from "./api_runtime.ts";
import { readEmbeddingRequest } from "./embedding_request.ts";
import type { ModelDirectory } from "./model_directory.ts";
import { readRerankRequest } from "./rerank_request.ts";
import { ofStore } from "./store_refusal.ts";
import { invalidRequest, modelUnavailable } from "../../errors/make_error.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** Reads the profile of a model in a folder that a client names, if the path policy allows it. */
export type OpenLocalModel = (path: string) => Promise<InstalledModel>;

/** What these services depend on. */
export interface TextServiceOptions {
  readonly directory: ModelDirectory;
  readonly runtime: ApiRuntime;
  /** Without it, models are named by id and alias only. */
  readonly openLocalModel?: OpenLocalModel | undefined;
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
  const { model: name, texts, warnings } = readEmbeddingRequest(body);
  const model = await findModel(name, "embedding", "embed the texts", options);
  return {
    warnings,
    run: (signal) =>
      options.runtime.sidecar("embedding", model, signal, async (engine, abort) => {
        const { vectors, promptTokens } = await ofKind<EmbeddingEngine>(engine, "embedding").embed(texts, abort);
        for (const vector of vectors) checkNumbers(vector, model.id);
        return {
          object: "list",
          model: model.id,
          data: vectors.map((vector, index) => ({ object: "embedding", index, embedding: Array.from(vector) })),
          usage: usage(promptTokens),
        };
      }),
  };
}

/** Checks a rerank request. Throws {@linkcode SvcError}. */
export async function prepareRerank(body: unknown, options: TextServiceOptions): Promise<PreparedTexts<RerankList>> {
  const { model: name, query, documents, topN, returnDocuments, warnings } = readRerankRequest(body);
  const model = await findModel(name, "rerank", "rerank the documents", options);
  return {
    warnings,
    run: (signal) =>
      options.runtime.sidecar("rerank", model, signal, async (engine, abort) => {
        const { scores, promptTokens } = await ofKind<RerankEngine>(engine, "rerank").rerank(query, documents, abort);
        checkNumbers(scores, model.id);
        const ranked = scores.map((score, index) => ({
          index,
          relevance_score: score,
          ...(returnDocuments ? { document: { text: documents[index] } } : {}),
        }));
        ranked.sort((a, b) => b.relevance_score - a.relevance_score || a.index - b.index);
        return { object: "list", model: model.id, results: ranked.slice(0, topN), usage: usage(promptTokens) };
      }),
  };
}

/** Finds a model by its name, or by the path of its folder. */
async function findModel(
  name: string,
  kind: "embedding" | "rerank",
  action: string,
  { directory, openLocalModel }: TextServiceOptions,
): Promise<InstalledModel> {
  const isPath = /^(\.{0,2}\/|[a-z]:[\\/]|~\/)/i.test(name);
  if (!isPath || openLocalModel === undefined) return (await directory.find(name, kind, action)).model;
  const model = await ofStore(openLocalModel(name), "model");
  // Folders may share a name: a lane distinguishes models by their ids.
  if (model.profile?.kind === kind) return { ...model, id: model.folder };
  const message = `Cannot ${action}: the folder ${JSON.stringify(name)} has no suitable model, expected one that does`;
  throw invalidRequest("wrong_model_task", message, "model");
}

function ofKind<E extends SidecarEngine>(engine: SidecarEngine, kind: E["kind"]): E {
  if (engine.kind === kind) return engine as E;
  const message = "Cannot finish the request: the files of the model have changed since it was installed";
  throw modelUnavailable("model_unavailable", message);
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
