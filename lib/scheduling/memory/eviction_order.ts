/**
 * Which models are evicted, and in which order: from memory, and from that of a GPU.
 *
 * @module
 */
import type { Pressure } from "./memory_limits.ts";

/** Text models, of which many may be loaded, or lane models, one per lane. */
export type ModelKind = "text" | "lane";

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
  const lanes = kind === "lane" || pressure === "critical" ? evictable(idle, "lane") : [];
  return [...evictable(idle, "text"), ...lanes];
}

/**
 * The models to evict because memory is short: the least recently used text model under elevated pressure, all models
 * under critical pressure. The startup model stays, since the next request most likely needs it.
 */
export function evictedUnderPressure(pressure: Pressure, idle: readonly IdleModel[]): IdleModel[] {
  const text = evictable(idle, "text").filter((model) => !model.startupDefault);
  if (pressure === "critical") return [...text, ...evictable(idle, "lane")];
  return pressure === "elevated" ? text.slice(0, 1) : [];
}

/** The models of one kind that are neither pinned nor queued for, least recently used first, ties by id. */
function evictable(idle: readonly IdleModel[], kind: ModelKind): IdleModel[] {
  return idle
    .filter((model) => model.kind === kind && !model.pinned && !model.queued)
    .sort((a, b) => a.lastAccess - b.lastAccess || (a.id < b.id ? -1 : 1));
}

/** What a GPU has, and what loaded models take of it; bytes. */
export interface DeviceMemory {
  readonly totalBytes: number;
  /** Of the text models that are loaded on it. */
  readonly modelBytes: number;
}

/** The part of it for weights: the rest is for contexts, and for the screen. */
const SHARE = 0.9;

/**
 * The idle model to unload before a load of `bytes`. Undefined when there is room; when the model is too large even
 * alone, or those in use leave too little, its library puts it, or a part of it, on the CPU, whose memory has been
 * reserved for it.
 */
export function crowdedOut(
  device: DeviceMemory | undefined,
  bytes: number,
  idle: readonly IdleModel[],
): IdleModel | undefined {
  if (device === undefined || bytes > SHARE * device.totalBytes) return undefined;
  if (device.modelBytes + bytes <= SHARE * device.totalBytes) return undefined;
  return evictionOrder("text", "nominal", idle.filter(({ onDevice }) => onDevice === true))[0];
}
