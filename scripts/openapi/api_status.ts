/**
 * Bodies of the runtime control of the model API.
 *
 * @module
 */
import { LANES } from "../../lib/scheduling/lane_status.ts";
import { MODEL_TASKS } from "../../lib/store/catalog/installed_model.ts";
import type { JsonObject } from "./both_spellings.ts";
import { amount, count, described, flag, list, number, record, ref, text, time, words } from "./json_schema.ts";
import { requestSchemas } from "./api_requests.ts";

const pressure = words("disabled", "unknown", "nominal", "elevated", "critical");
const capability = ref("Capability");
const speed = described(amount, "Tokens per second");

const prefix = {
  entries: count,
  maxEntries: count,
  hits: count,
  misses: count,
  storedPrefixes: count,
  reusedTokens: count,
  storedTokens: count,
};
const batching = {
  activeRows: count,
  queuedRows: count,
  batchedDecodeSteps: count,
  samePositionBatchedSteps: count,
  variablePositionBatchedSteps: count,
  singleDecodeSteps: count,
  totalBatchedRows: count,
  maxBatchSize: count,
};
const reported = { reportedModelCount: count, enabledModelCount: count };
const benchmark = {
  completedRequests: count,
  failedRequests: count,
  generatedTokens: count,
  "averageLoadSeconds?": amount,
  "averagePrefillSeconds?": amount,
  "averageDecodeSeconds?": amount,
  "averageTotalSeconds?": amount,
  "decodeTokensPerSecond?": speed,
};

const activeRequest = record({
  id: text,
  admittedAt: time,
  "modelID?": text,
  "streaming?": flag,
  "requestedMaxTokens?": count,
  "toolCount?": count,
  phase: words("admitted", "loading_model", "prefill", "decode", "cancelling"),
  "phaseDetail?": text,
  "progress?": record({ fraction: { type: "number", minimum: 0, maximum: 1 }, stage: text }),
  "firstTokenAt?": time,
  generatedTokenUpdates: count,
});

const admission = record({
  maxActiveRequests: count,
  activeRequests: count,
  queuedRequests: count,
  totalAdmittedRequests: count,
  totalCompletedRequests: count,
  totalCancelledRequests: count,
  admissionPaused: flag,
  pressure,
  "lastClientDisconnectAt?": time,
  "lastCancellationAt?": time,
  "lastSlotReleaseAt?": time,
  activeRequestDetails: list(activeRequest),
});

const memory = record({
  "physicalBytes?": count,
  "currentBytes?": count,
  "availableBytes?": count,
  "ceilingBytes?": amount,
  "softLimitBytes?": count,
  "hardLimitBytes?": count,
  "deviceBytes?": described(count, "Memory of the GPU that text models may be loaded on"),
  "deviceModelBytes?": described(count, "What the text models that are loaded on it take"),
  activeRequests: count,
  activeModelCount: count,
  guardTier: words("off", "safe", "balanced", "aggressive", "custom"),
  pressure,
});

const resident = record({
  kind: words(...LANES),
  "modelID?": text,
  "modelPath?": text,
  "variant?": text,
  loaded: flag,
  "ready?": flag,
  activeRequests: count,
  queuedRequests: count,
  "loadedAt?": time,
  "lastAccess?": time,
  "lastEvictedAt?": time,
  "lastEvictionReason?": words("ttl", "memory_pressure"),
  pinned: flag,
  ttlSeconds: count,
  loadCount: count,
  replacementCount: count,
  evictionCount: count,
  completedRequests: count,
  failedRequests: count,
});

const settings = requestSchemas["RuntimeSettings"].properties as Record<string, JsonObject>;
const { kvCacheModeV2: _, kvCacheMode: __, pinned, ...others } = settings;
const optional = Object.fromEntries(Object.entries(others).map(([name, schema]) => [`${name}?`, schema]));

/** The schemas of `/runtime`. */
export const statusSchemas: Record<string, JsonObject> = {
  Capability: record({ available: flag, enabled: flag, detail: text }),
  ModelEntry: record({
    id: text,
    "category?": words(...MODEL_TASKS),
    "engine?": text,
    "installPath?": text,
    loaded: described(flag, "Whether it is loaded or loading"),
    "ready?": described(flag, "Whether loading has finished; absent unless loaded"),
    activeRequests: count,
    "lastAccess?": time,
    "lastError?": text,
    pinned,
    ...optional,
    "kvCacheMode?": words("default", "affine4", "affine8", "polar2", "auto"),
    "device?": text,
    "prefixKVCache?": record({ enabled: flag, ...prefix }),
    "continuousBatching?": record({ enabled: flag, ...batching }),
    "deviceKVCache?": record({
      enabled: flag,
      "reason?": text,
      bytes: described(count, "Of the texts that are being written"),
      steps: count,
      uploads: count,
      downloads: count,
    }, "Keys and values that stay on a GPU"),
    "mtp?": record({
      available: flag,
      enabled: flag,
      active: flag,
      "reason?": text,
      blockSize: count,
      threshold: amount,
      rounds: count,
      draftedTokens: count,
      acceptedTokens: count,
      rejectedTokens: count,
    }, "Speculation"),
    "benchmarkStats?": record({
      ...benchmark,
      "recentDecodeTokensPerSecond?": described(speed, "Of the last ten chats"),
      "lastCompletedAt?": time,
      "lastRequest?": record({
        promptTokens: count,
        cachedTokens: count,
        generatedTokens: count,
        loadSeconds: amount,
        prefillSeconds: amount,
        decodeSeconds: amount,
        timeToFirstTokenSeconds: amount,
        "prefillTokensPerSecond?": speed,
        "decodeTokensPerSecond?": speed,
      }),
    }),
    "startupTiming?": record({ loadSeconds: amount }),
  }),
  RuntimeStatus: record({
    object: { const: "runtime.status" },
    status: { const: "ok" },
    "defaultModel?": text,
    settingsPath: text,
    activeRequests: count,
    admission,
    capabilities: record({
      requestAdmission: capability,
      chunkedPrefill: capability,
      continuousBatching: capability,
      prefixKVReuse: capability,
      ssdKVCache: capability,
    }),
    memory,
    models: list(ref("ModelEntry")),
    cacheStats: record({
      available: flag,
      detail: text,
      prefixKVReuse: record({ ...reported, ...prefix }),
      decodeBatching: record({ ...reported, ...batching }),
      ssdKVCache: record({ available: { const: false }, detail: text }),
    }),
    benchmarkStats: record({ available: flag, detail: text, reportedModelCount: count, ...benchmark }),
    sidecars: record({
      defaultIdleTTLSeconds: count,
      pressure,
      loadedCount: count,
      activeRequests: count,
      queuedRequests: count,
      residents: list(resident, { minItems: LANES.length, maxItems: LANES.length }),
    }),
    process: record({
      processID: count,
      startedAt: time,
      uptimeSeconds: amount,
      "cpuPercent?": number(0, 1e6),
      "thermalState?": words("nominal", "fair", "serious", "critical"),
      "lowPowerModeEnabled?": flag,
      "gpuMemoryBytes?": count,
    }),
  }),
};
