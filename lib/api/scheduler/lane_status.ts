/**
 * The lanes and how each of them stands.
 *
 * @module
 */

/** The lanes, in the order in which they are shown. Retrieval embeds and reranks in turn: each has a lane of its own. */
export const LANES = ["image", "speech", "transcription", "embedding", "rerank"] as const;

/** Generation and editing of images share one lane. */
export type LaneKind = (typeof LANES)[number];

/** Seconds after which an idle model leaves its lane, unless its settings say otherwise. */
export const DEFAULT_IDLE_TTL_SECONDS = 300;

/** Why a model has left its lane for good. */
export type EvictionReason = "ttl" | "memory_pressure";

/** A lane as a status value; times are ISO-8601. What is absent has not happened, or there is no model. */
export interface LaneStatus {
  readonly kind: LaneKind;
  readonly modelID?: string;
  readonly modelPath?: string;
  readonly variant?: string;
  readonly loaded: boolean;
  /** Whether the loading has ended; absent unless loaded. */
  readonly ready?: boolean;
  readonly activeRequests: number;
  readonly queuedRequests: number;
  readonly loadedAt?: string;
  readonly lastAccess?: string;
  readonly lastEvictedAt?: string;
  readonly lastEvictionReason?: EvictionReason;
  readonly pinned: boolean;
  readonly ttlSeconds: number;
  readonly loadCount: number;
  /** How often another model of the lane was asked for. */
  readonly replacementCount: number;
  readonly evictionCount: number;
  readonly completedRequests: number;
  readonly failedRequests: number;
}
