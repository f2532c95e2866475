/**
 * What is known of a model without loading it.
 *
 * @module
 */
import type { SamplingSettings, TextCapabilities } from "../../api/protocol/mod.ts";

/** Engines by id. */
export const ENGINES = ["onnx-text", "gguf-text", "onnx-diffusion", "onnx-embedding", "onnx-rerank"] as const;

/** One of {@linkcode ENGINES}. */
export type EngineId = typeof ENGINES[number];

/** How a model keeps its key-value state. */
export type KvCacheMode = "default" | "affine4" | "affine8" | "polar2" | "auto";

/** A model that chats, as its files describe it. Plain data: it is kept in the store and goes between processes. */
export interface ChatModelProfile {
  readonly kind: "chat";
  readonly engine: EngineId;
  /** Tokens that prompt and answer can have together. */
  readonly context: number;
  /** The most that the engine generates, whatever is asked for; undefined for no such limit. */
  readonly maxOutputTokens: number | undefined;
  readonly capabilities: TextCapabilities;
  /** What the model was made to be sampled with. */
  readonly sampling: SamplingSettings;
  /** Ways of keeping its state besides `default`. */
  readonly kvCacheModes: readonly KvCacheMode[];
}

/** A model that turns texts into vectors. */
export interface EmbeddingModelProfile {
  readonly kind: "embedding";
  readonly engine: EngineId;
  /** Tokens of a text at most. */
  readonly context: number;
  readonly dimensions: number;
}

/** A model that judges how well texts answer a query. */
export interface RerankModelProfile {
  readonly kind: "rerank";
  readonly engine: EngineId;
  /** Tokens of query and text together at most. */
  readonly context: number;
}

/** A model of any kind. */
export type ModelProfile = ChatModelProfile | EmbeddingModelProfile | RerankModelProfile;
