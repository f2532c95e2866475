/**
 * Speed, size and cache use of chats.
 *
 * @module
 */
import type { ChatOutcome } from "../../engines/contract/chat_engine.ts";
import type { EngineCounters } from "../../engines/contract/language_model.ts";

/** The statistics of a chat. */
export interface LastRequest {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly generatedTokens: number;
  readonly loadSeconds: number;
  readonly prefillSeconds: number;
  readonly decodeSeconds: number;
  /** From admission, including the load. */
  readonly timeToFirstTokenSeconds: number;
  /** Computed prompt tokens, not counting cached ones. */
  readonly prefillTokensPerSecond?: number;
  readonly decodeTokensPerSecond?: number;
}

/** Statistics of an answer, including its model's load time. */
export function lastRequest(outcome: ChatOutcome, loadSeconds: number): LastRequest {
  const { promptTokens, cachedTokens, completionTokens, prefillSeconds, decodeSeconds, firstTokenSeconds } = outcome;
  const prefill = tokensPerSecond(promptTokens - cachedTokens, prefillSeconds);
  const decode = tokensPerSecond(completionTokens, decodeSeconds);
  return {
    promptTokens,
    cachedTokens,
    generatedTokens: completionTokens,
    loadSeconds,
    prefillSeconds,
    decodeSeconds,
    timeToFirstTokenSeconds: loadSeconds + firstTokenSeconds,
    ...(prefill === undefined ? {} : { prefillTokensPerSecond: prefill }),
    ...(decode === undefined ? {} : { decodeTokensPerSecond: decode }),
  };
}

/** Undefined when it took no time. */
export function tokensPerSecond(tokens: number, seconds: number): number | undefined {
  return seconds > 0 ? tokens / seconds : undefined;
}

type PrefixCounters = NonNullable<EngineCounters["prefixKVCache"]>;
type BatchCounters = NonNullable<EngineCounters["continuousBatching"]>;

/** Sums of the counters of the loaded models; how many have any, and in how many it is enabled. */
export type Reported<T extends { readonly enabled: boolean }> = Omit<T, "enabled"> & {
  readonly reportedModelCount: number;
  readonly enabledModelCount: number;
};

/** Counters of all loaded models. */
export interface CacheStats {
  /** Whether a loaded model has any. */
  readonly available: boolean;
  readonly detail: string;
  readonly prefixKVReuse: Reported<PrefixCounters>;
  /** `maxBatchSize` is the maximum over all models; the others are sums. */
  readonly decodeBatching: Reported<BatchCounters>;
  readonly ssdKVCache: { readonly available: false; readonly detail: string };
}

/** Why nothing is cached on disk. */
export const NO_SSD_CACHE = "Model state is cached in memory only";

const prefixKeys = [
  "entries",
  "maxEntries",
  "hits",
  "misses",
  "storedPrefixes",
  "reusedTokens",
  "storedTokens",
] as const satisfies readonly (keyof PrefixCounters)[];

const batchKeys = [
  "activeRows",
  "queuedRows",
  "batchedDecodeSteps",
  "samePositionBatchedSteps",
  "variablePositionBatchedSteps",
  "singleDecodeSteps",
  "totalBatchedRows",
] as const satisfies readonly (keyof BatchCounters)[];

/** Adds up the counters of the loaded models. */
export function cacheStats(counters: readonly EngineCounters[]): CacheStats {
  const prefixes = counters.flatMap(({ prefixKVCache }) => prefixKVCache ?? []);
  const batches = counters.flatMap(({ continuousBatching }) => continuousBatching ?? []);
  const available = prefixes.length + batches.length > 0;
  return {
    available,
    detail: available ? "Counters of the loaded models since they were loaded" : "No loaded model has counters",
    prefixKVReuse: reported(prefixes, prefixKeys),
    decodeBatching: {
      ...reported(batches, batchKeys),
      maxBatchSize: Math.max(0, ...batches.map(({ maxBatchSize }) => maxBatchSize)),
    },
    ssdKVCache: { available: false, detail: NO_SSD_CACHE },
  };
}

function reported<K extends string>(
  all: readonly ({ readonly enabled: boolean } & Readonly<Record<K, number>>)[],
  keys: readonly K[],
): Record<K, number> & { reportedModelCount: number; enabledModelCount: number } {
  const sums = keys.map((key) => [key, all.reduce((sum, counters) => sum + counters[key], 0)]);
  return {
    reportedModelCount: all.length,
    enabledModelCount: all.filter(({ enabled }) => enabled).length,
    ...Object.fromEntries(sums) as Record<K, number>,
  };
}
