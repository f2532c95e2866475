/**
 * Engines as a server sees them: each in a process of its own.
 *
 * @module
 */
import type { Engine } from "../../api/scheduler/mod.ts";
import type {
  ChatRequest,
  FinishedAnswer,
  SamplingSettings,
  WireDiffusion,
  WireDraft,
  WireLogprobs,
} from "../../api/protocol/mod.ts";
import type { EngineCounters } from "./language_model.ts";
import type { ChatModelProfile, EmbeddingModelProfile, RerankModelProfile } from "../files/model_profile.ts";

/** What a chat is answered by besides its request. */
export interface ChatOptions {
  /** Tokens that prompt and answer can have together: of model, settings and server the least. */
  readonly context: number;
  /** Tokens of an answer when the request does not say. */
  readonly presetMaxTokens: number;
  /** For what the request leaves out: the model's own, with the settings of the store on top. */
  readonly defaults: SamplingSettings;
  /** Milliseconds since 1970, which templates may tell. */
  readonly now: number;
  /** Bytes of the images of the request in their order, read under the path policy of the server. */
  readonly images: readonly Uint8Array[];
}

/** Hears of a chat while it is answered. */
export interface ChatListener {
  readonly onPrefill: (done: number, total: number) => void;
  /** Text to show; the rest comes with the answer. */
  readonly onText: (text: string) => void;
  readonly onDraft: (draft: WireDraft) => void;
  /** Tokens that have been generated since the last call, whether they show or not. */
  readonly onTokens: (count: number) => void;
}

/** A chat that was answered. */
export interface ChatOutcome {
  readonly answer: FinishedAnswer;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly prefillSeconds: number;
  readonly decodeSeconds: number;
  readonly firstTokenSeconds: number;
  readonly logprobs?: WireLogprobs;
  readonly diffusion?: WireDiffusion;
}

/** What all engines have. */
export interface EngineProcess extends Engine {
  /** Number of its process, whose memory counts as the server's. */
  readonly processID: number;
  /** Such as `cpu` or `cuda`. */
  readonly device: string;
  /** Seconds from the start of the process until the model was ready. */
  readonly loadSeconds: number;
}

/** A loaded model that chats. */
export interface ChatEngine extends EngineProcess {
  readonly kind: "chat";
  readonly profile: ChatModelProfile;
  /** As last heard from the process: reading them never waits for it. */
  readonly counters: EngineCounters;
  /**
   * Answers a chat.
   *
   * @throws {SvcError} what the model cannot do, a prompt that is too long, output that broke its schema.
   * @throws the reason of `signal` when it aborts; the slot of the engine is free again by then.
   */
  chat(request: ChatRequest, options: ChatOptions, listener: ChatListener, signal: AbortSignal): Promise<ChatOutcome>;
}

/** Vectors of texts. */
export interface EmbeddingOutcome {
  /** In the order of the texts. */
  readonly vectors: readonly Float32Array[];
  /** Tokens of all texts. */
  readonly promptTokens: number;
}

/** A loaded model that embeds. */
export interface EmbeddingEngine extends EngineProcess {
  readonly kind: "embedding";
  readonly profile: EmbeddingModelProfile;
  /**
   * Embeds texts, in batches of at most 8,192 padded tokens.
   *
   * @throws {SvcError} `context_length_exceeded` with the index of the text and both numbers.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddingOutcome>;
}

/** How well texts answer a query. */
export interface RerankOutcome {
  /** One for each text, in their order; larger is better, within 0 and 1. */
  readonly scores: readonly number[];
  readonly promptTokens: number;
}

/** A loaded model that ranks. */
export interface RerankEngine extends EngineProcess {
  readonly kind: "rerank";
  readonly profile: RerankModelProfile;
  /** @throws {SvcError} as {@linkcode EmbeddingEngine.embed}. */
  rerank(query: string, texts: readonly string[], signal: AbortSignal): Promise<RerankOutcome>;
}

/** A loaded model of a lane. */
export type SidecarEngine = EmbeddingEngine | RerankEngine;
