/**
 * An open model in its engine's process.
 *
 * @module
 */
import type { EmbeddingOutcome, RerankOutcome } from "../text/chat_engine.ts";
import type { ChatModel } from "../text/chat_model.ts";
import type { EngineModel } from "./engine_messages.ts";
import type { EngineSettings } from "./engine_settings.ts";
import type { LanguageModel } from "../text/language_model.ts";
import type { EmbeddingModelProfile, RerankModelProfile } from "../files/model_profile.ts";

/** An embedding model, such as `openOnnxEmbeddingModel` opens. */
export interface EmbeddingModel {
  readonly profile: EmbeddingModelProfile;
  /** Such as `cpu` or `cuda`. */
  readonly device: string;
  /** See `EmbeddingEngine.embed`. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddingOutcome>;
  /** Frees everything; no task may be running. */
  close(): Promise<void>;
}

/** A reranking model, such as `openOnnxRerankModel` opens. */
export interface RerankModel {
  readonly profile: RerankModelProfile;
  /** Such as `cpu` or `cuda`. */
  readonly device: string;
  /** See `RerankEngine.rerank`. */
  rerank(query: string, texts: readonly string[], signal: AbortSignal): Promise<RerankOutcome>;
  /** Frees everything; no task may be running. */
  close(): Promise<void>;
}

/** A model of any kind; a chat model comes with its chat layer. */
export type OpenedEngine =
  | { readonly kind: "chat"; readonly model: LanguageModel; readonly chats: ChatModel }
  | { readonly kind: "embedding"; readonly model: EmbeddingModel }
  | { readonly kind: "rerank"; readonly model: RerankModel };

/**
 * Opens a model.
 *
 * @param onProgress Called on the progress of the load, from 0 to 1.
 */
export type OpenEngine = (
  model: EngineModel,
  settings: EngineSettings,
  onProgress: (fraction: number) => void,
) => Promise<OpenedEngine>;
