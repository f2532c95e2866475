/**
 * Which models are evicted, and in which order.
 *
 * @module
 */
import type { Pressure } from "./memory_limits.ts";

/** Text models, of which many may be loaded, or lane models, one per lane. */
export type ModelKind = "text" | "sidecar";

/** A loaded model without active requests. */
export interface IdleModel {
  readonly id: string;
  readonly kind: ModelKind;
  /** Whether requests are queued for it or about to use it. */
  readonly queued: boolean;
  readonly pinned: boolean;
  /** Whether it is the server's startup model. */
  readonly startupDefault: boolean;
  /** Whether it is on a GPU. */
  readonly onDevice?: boolean;
  /** Milliseconds since 1970. */
  readonly lastAccess: number;
  /** Frees what can be rebuilt. */
  trim(): Promise<void>;
  /** Unloads it; resolves when its memory is free. */
  evict(): Promise<void>;
}

/**
 * The models to evict for a load, in order: idle text models, least recently used first, then lane models, oldest
 * first. Loading a text model evicts lane models only under critical pressure.
 */
export function evictionOrder(kind: ModelKind, pressure: Pressure, idle: readonly IdleModel[]): IdleModel[] {
  const lanes = kind === "sidecar" || pressure === "critical" ? evictable(idle, "sidecar") : [];
  return [...evictable(idle, "text"), ...lanes];
}

/**
 * The models to evict because memory is short: the least recently used text model under elevated pressure, all models
 * under critical pressure. The startup model stays, since the next request most likely needs it.
 */
export function evictedUnderPressure(pressure: Pressure, idle: readonly IdleModel[]): IdleModel[] {
  const text = evictable(idle, "text").filter((model) => !model.startupDefault);
  if (pressure === "critical") return [...text, ...evictable(idle, "sidecar")];
  return pressure === "elevated" ? text.slice(0, 1) : [];
}

/** The models of one kind that are neither pinned nor queued for, least recently used first, ties by id. */
function evictable(idle: readonly IdleModel[], kind: ModelKind): IdleModel[] {
  return idle
    .filter((model) => model.kind === kind && !model.pinned && !model.queued)
    .sort((a, b) => a.lastAccess - b.lastAccess || (a.id < b.id ? -1 : 1));
}
