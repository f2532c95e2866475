/**
 * The lanes and their status, and how long a model stays in one.
 *
 * @module
 */

/** The lanes, in display order. Retrieval embeds and reranks in turn, so each has its own lane. */
export const LANES = ["image", "speech", "transcription", "embedding", "rerank", "vision"] as const;

/** Image generation and editing share a lane, and so do all models for geometry, depth and 3D. */
export type LaneKind = (typeof LANES)[number];

/** Lanes whose operations take the whole machine: nothing runs beside them. */
export const EXCLUSIVE_LANES: ReadonlySet<LaneKind> = new Set(["image", "vision"]);

/** Seconds of idleness after which a model leaves its lane by default. */
export const DEFAULT_IDLE_TTL_SECONDS = 300;

/** Why a model was evicted from its lane. */
export type EvictionReason = "ttl" | "memory_pressure";

/** The status of a lane; times are ISO-8601. Absent fields have not happened yet, or there is no model. */
export interface LaneStatus {
  readonly kind: LaneKind;
  readonly modelID?: string;
  readonly modelPath?: string;
  readonly variant?: string;
  readonly loaded: boolean;
  /** Whether loading has finished; absent unless loaded. */
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
  /** How often another model of the lane was requested. */
  readonly replacementCount: number;
  readonly evictionCount: number;
  readonly completedRequests: number;
  readonly failedRequests: number;
}

/** Settings that decide how long a model stays loaded. */
export interface ResidencySettings {
  /** Keeps it loaded despite idleness and memory pressure; it can still be unloaded explicitly. */
  readonly pinned: boolean;
  /** Seconds without a request after which it is unloaded. */
  readonly ttlSeconds?: number;
}

/** Returns the current settings of a model; called whenever they matter. */
export type ReadSettings = (model: string) => ResidencySettings;

/** Whether a model last used at `lastAccess` has been idle for `ttlSeconds` at `now`; times in milliseconds. */
export function isExpired(lastAccess: number, now: number, ttlSeconds: number | undefined): boolean {
  return ttlSeconds !== undefined && now - lastAccess >= ttlSeconds * 1000;
}
