/**
 * The answer of `GET /runtime/status`.
 *
 * @module
 */
import type { ChatEngine } from "../../engines/contract/chat_engine.ts";
import type { AdmissionStatus, RuntimeStatus } from "../../scheduling/mod.ts";
import type { BenchmarkStats, BenchmarkSummary } from "./benchmark_stats.ts";
import { type CacheStats, cacheStats, NO_SSD_CACHE } from "./request_stats.ts";
import type { StoreView } from "./model_directory.ts";
import { type ModelEntry, modelEntry } from "./model_list.ts";

/** An optional capability of a server. */
export interface Capability {
  /** Whether any loaded model supports it, or with none loaded any engine. */
  readonly available: boolean;
  readonly enabled: boolean;
  readonly detail: string;
}

/** The process of the server; values that the system does not report are absent. */
export interface ProcessStatus {
  readonly processID: number;
  /** ISO-8601. */
  readonly startedAt: string;
  readonly uptimeSeconds: number;
  /** Percent of one core since the last sample; absent in the first one. */
  readonly cpuPercent?: number;
  readonly thermalState?: "nominal" | "fair" | "serious" | "critical";
  /** Whether the system trades speed for power. */
  readonly lowPowerModeEnabled?: boolean;
  /** Memory of the largest GPU. */
  readonly gpuMemoryBytes?: number;
}

/** The full status. */
export interface RuntimeReport extends Omit<RuntimeStatus, "models" | "admission"> {
  readonly object: "runtime.status";
  readonly status: "ok";
  readonly settingsPath: string;
  readonly admission: AdmissionStatus & { readonly lastClientDisconnectAt?: string };
  readonly capabilities: {
    readonly requestAdmission: Capability;
    readonly chunkedPrefill: Capability;
    readonly continuousBatching: Capability;
    readonly prefixKVReuse: Capability;
    readonly ssdKVCache: Capability;
  };
  /** Chat models by id: installed, loaded, or with settings. */
  readonly models: readonly ModelEntry[];
  readonly cacheStats: CacheStats;
  readonly benchmarkStats: BenchmarkSummary;
  readonly process: ProcessStatus;
}

/** The parts of a {@linkcode RuntimeReport}. */
export interface RuntimeReportParts {
  readonly pool: RuntimeStatus;
  readonly store: StoreView;
  readonly engines: ReadonlyMap<string, ChatEngine>;
  readonly stats: BenchmarkStats;
  readonly settingsPath: string;
  readonly process: ProcessStatus;
}

/** Ids of further models to report besides those in the scheduler. */
export function reportedIds({ models, settings }: StoreView): string[] {
  const chats = models.filter(({ task, profile }) => task === "chat.completions" && profile?.kind === "chat");
  const others = new Set(models.map(({ id }) => id));
  return [...chats.map(({ id }) => id), ...[...settings.keys()].filter((id) => !others.has(id))];
}

/** Combines the parts. */
export function runtimeReport(parts: RuntimeReportParts): RuntimeReport {
  const { pool, store, engines, stats, settingsPath, process } = parts;
  const { defaultModel, activeRequests, admission, memory, models, sidecars } = pool;
  const counters = [...engines.values()].map((engine) => engine.counters);
  const { lastCancellationAt } = admission; // only disconnecting clients cancel requests
  return {
    object: "runtime.status",
    status: "ok",
    ...(defaultModel === undefined ? {} : { defaultModel }),
    settingsPath,
    activeRequests,
    admission: {
      ...admission,
      ...(lastCancellationAt === undefined ? {} : { lastClientDisconnectAt: lastCancellationAt }),
    },
    capabilities: capabilities(cacheStats(counters), admission.maxActiveRequests),
    memory,
    models: models.map((status) =>
      modelEntry({
        status,
        model: store.models.find(({ id }) => id === status.id),
        settings: store.settings.get(status.id),
        engine: status.ready ? engines.get(status.id) : undefined,
        benchmark: stats.of(status.id),
      })
    ),
    cacheStats: cacheStats(counters),
    benchmarkStats: stats.summary(),
    sidecars,
    process,
  };
}

function capabilities(
  { prefixKVReuse, decodeBatching }: CacheStats,
  slots: number,
): RuntimeReport["capabilities"] {
  const { reportedModelCount, enabledModelCount } = decodeBatching;
  const batching = slots > 1 && (reportedModelCount === 0 || enabledModelCount > 0);
  return {
    requestAdmission: { available: true, enabled: true, detail: `First come, first served, ${slots} at a time` },
    chunkedPrefill: { available: true, enabled: true, detail: "A prefill can be cancelled between two chunks" },
    continuousBatching: {
      available: true,
      enabled: batching,
      detail: batching ? "Chats of one model are batched" : "Chats are decoded one after the other",
    },
    prefixKVReuse: {
      available: true,
      enabled: prefixKVReuse.reportedModelCount === 0 || prefixKVReuse.enabledModelCount > 0,
      detail: "Prefixes of chats are cached; each request gets its own copy",
    },
    ssdKVCache: { available: false, enabled: false, detail: NO_SSD_CACHE },
  };
}
