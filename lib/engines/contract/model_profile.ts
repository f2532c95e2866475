/**
 * What is known of a model without loading it.
 *
 * @module
 */
import type { SamplingSettings, TextCapabilities } from "../../protocol/mod.ts";
import type { ImageModelProfile } from "./image_model.ts";
import type { SpeechModelProfile } from "./speech_model.ts";
import type { VisionModelProfile } from "./vision_profile.ts";
import type { TranscriptionModelProfile } from "./transcription_model.ts";

/** Engines of chat models. */
export type ChatEngineId = "onnx-text" | "gguf-text" | "onnx-diffusion" | "transformers-js";

/** Modes of a model's key-value cache. */
export type KvCacheMode = "default" | "affine4" | "affine8" | "polar2" | "auto";

/** A chat model, as its files describe it. Plain data: it is stored and sent between processes. */
export interface ChatModelProfile {
  readonly kind: "chat";
  readonly engine: ChatEngineId;
  /** Maximum number of tokens of prompt and answer together. */
  readonly context: number;
  /** The engine's own limit on generated tokens; undefined for none. */
  readonly maxOutputTokens: number | undefined;
  readonly capabilities: TextCapabilities;
  /** The recommended sampling settings of the model. */
  readonly sampling: SamplingSettings;
  /** Modes of its key-value cache besides `default`. */
  readonly kvCacheModes: readonly KvCacheMode[];
}

/** An embedding model. */
export interface EmbeddingModelProfile {
  readonly kind: "embedding";
  readonly engine: "onnx-embedding" | "gguf-embedding";
  /** Maximum number of tokens of a text. */
  readonly context: number;
  readonly dimensions: number;
  /** Names of the prompts that it has for kinds of texts, such as `query` and `document`; absent for none. */
  readonly prompts?: readonly string[] | undefined;
}

/** A reranking model. */
export interface RerankModelProfile {
  readonly kind: "rerank";
  readonly engine: "onnx-rerank" | "gguf-rerank";
  /** Maximum number of tokens of query and text together. */
  readonly context: number;
}

/** A model of any kind. */
export type ModelProfile =
  | ChatModelProfile
  | EmbeddingModelProfile
  | RerankModelProfile
  | SpeechModelProfile
  | VisionModelProfile
  | ImageModelProfile
  | TranscriptionModelProfile;

/** An engine by its id. */
export type EngineId = ModelProfile["engine"];

/** A profile of a kind. */
export type ProfileOf<K extends ModelProfile["kind"]> = Extract<ModelProfile, { readonly kind: K }>;
