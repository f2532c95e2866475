/**
 * The status of requests, models and memory.
 *
 * @module
 */
import { DEFAULT_IDLE_TTL_SECONDS, type LaneStatus } from "./lane_status.ts";
import type { DeviceMemory } from "./memory/eviction_order.ts";
import type { MemoryReading } from "./memory/memory_guard.ts";
import type { GuardTier, Pressure } from "./memory/memory_limits.ts";
import type { AdmissionStatus } from "./request_queue.ts";
import type { ModelStatus } from "./text_pool.ts";

/** Memory in bytes; absent where the system does not report it or the guard sets no limit. */
export interface MemoryStatus {
  readonly physicalBytes?: number;
  /** Held by this process and its engines. */
  readonly currentBytes?: number;
  readonly availableBytes?: number;
  readonly ceilingBytes?: number;
  /** Pressure is elevated from here on. */
  readonly softLimitBytes?: number;
  /** Pressure is critical from here on. */
  readonly hardLimitBytes?: number;
  /** Memory of the GPU that text models may be loaded on. */
  readonly deviceBytes?: number;
  /** What the text models that are loaded on it take. */
  readonly deviceModelBytes?: number;
  readonly activeRequests: number;
  /** Loaded models, lane models included. */
  readonly activeModelCount: number;
  readonly guardTier: GuardTier;
  readonly pressure: Pressure;
}

/** All lanes together. */
export interface LaneUsage {
  readonly defaultIdleTTLSeconds: number;
  readonly pressure: Pressure;
  readonly loadedCount: number;
  readonly activeRequests: number;
  readonly queuedRequests: number;
  /** Always all lanes: image, speech, transcription, embedding, rerank, vision. */
  readonly residents: readonly LaneStatus[];
}

/** The scheduler's part of `GET /runtime/status`. */
export interface RuntimeStatus {
  readonly defaultModel?: string;
  /** Requests that use a model now. */
  readonly activeRequests: number;
  readonly admission: AdmissionStatus;
  readonly memory: MemoryStatus;
  readonly models: readonly ModelStatus[];
  readonly sidecars: LaneUsage;
}

/** The parts of a {@linkcode RuntimeStatus}. */
export interface RuntimeParts {
  readonly defaultModel: string | undefined;
  readonly models: readonly ModelStatus[];
  readonly lanes: readonly LaneStatus[];
  readonly admission: AdmissionStatus;
  readonly tier: GuardTier;
  readonly reading: MemoryReading;
  readonly device?: DeviceMemory | undefined;
}

/** Combines the parts and adds up their counts. */
export function runtimeStatus(
  { defaultModel, models, lanes, admission, tier, reading, device }: RuntimeParts,
): RuntimeStatus {
  const { pressure, sample, limits } = reading;
  const sidecars: LaneUsage = {
    defaultIdleTTLSeconds: DEFAULT_IDLE_TTL_SECONDS,
    pressure,
    loadedCount: lanes.filter(({ loaded }) => loaded).length,
    activeRequests: total(lanes.map((lane) => lane.activeRequests)),
    queuedRequests: total(lanes.map((lane) => lane.queuedRequests)),
    residents: lanes,
  };
  const activeRequests = total(models.map((model) => model.activeRequests)) + sidecars.activeRequests;
  return {
    ...(defaultModel === undefined ? {} : { defaultModel }),
    activeRequests,
    admission: { ...admission, pressure },
    memory: {
      ...(sample ? { physicalBytes: sample.physicalBytes, currentBytes: sample.currentBytes } : {}),
      ...(sample?.availableBytes === undefined ? {} : { availableBytes: sample.availableBytes }),
      ...limits,
      ...(device ? { deviceBytes: device.totalBytes, deviceModelBytes: device.modelBytes } : {}),
      activeRequests,
      activeModelCount: models.filter(({ loaded }) => loaded).length + sidecars.loadedCount,
      guardTier: tier,
      pressure,
    },
    models,
    sidecars,
  };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
