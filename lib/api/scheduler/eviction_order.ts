/**
 * Which models make room, and in which order.
 *
 * @module
 */
import type { Pressure } from "./memory_limits.ts";

/** Models that chat, of which many may be loaded, or models of a lane, which holds one. */
export type ModelKind = "text" | "sidecar";

/** A loaded model that nobody uses. */
export interface IdleModel {
  readonly id: string;
  readonly kind: ModelKind;
  /** Whether requests wait for it or are about to use it. */
  readonly queued: boolean;
  readonly pinned: boolean;
  /** Whether the server was started with it. */
  readonly startupDefault: boolean;
  /** Milliseconds since 1970. */
  readonly lastAccess: number;
  /** Gives back what it can make again. */
  trim(): Promise<void>;
  /** Unloads it; resolves when its memory is free. */
  evict(): Promise<void>;
}

/**
 * What makes room for a load, next first: idle text models, least recently used first; then models of lanes, oldest
 * first. For a text model the lanes give way under critical pressure only.
 */
export function evictionOrder(kind: ModelKind, pressure: Pressure, idle: readonly IdleModel[]): IdleModel[] {
  const lanes = kind === "sidecar" || pressure === "critical" ? evictable(idle, "sidecar") : [];
  return [...evictable(idle, "text"), ...lanes];
}

/**
 * What goes because memory is tight: under elevated pressure the least recently used text model, under critical
 * pressure all models. The startup default stays, since the next request most likely wants it.
 */
export function evictedUnderPressure(pressure: Pressure, idle: readonly IdleModel[]): IdleModel[] {
  const text = evictable(idle, "text").filter((model) => !model.startupDefault);
  if (pressure === "critical") return [...text, ...evictable(idle, "sidecar")];
  return pressure === "elevated" ? text.slice(0, 1) : [];
}

/** Those of a kind that are neither pinned nor waited for, least recently used first, equals by id. */
function evictable(idle: readonly IdleModel[], kind: ModelKind): IdleModel[] {
  return idle
    .filter((model) => model.kind === kind && !model.pinned && !model.queued)
    .sort((a, b) => a.lastAccess - b.lastAccess || (a.id < b.id ? -1 : 1));
}
