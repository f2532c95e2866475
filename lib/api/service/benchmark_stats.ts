/**
 * Statistics of completed chats.
 *
 * @module
 */
import type { ChatOutcome } from "../../engines/contract/chat_engine.ts";
import { type LastRequest, lastRequest, tokensPerSecond } from "./request_stats.ts";

/** Number of completions that the recent speed is computed from. */
const RECENT = 10;

/** The chats of one model. Means are absent before the first one has completed. */
export interface ModelBenchmark {
  readonly completedRequests: number;
  /** Ended by a server error; neither invalid nor cancelled requests count. */
  readonly failedRequests: number;
  readonly generatedTokens: number;
  readonly averageLoadSeconds?: number;
  readonly averagePrefillSeconds?: number;
  readonly averageDecodeSeconds?: number;
  readonly averageTotalSeconds?: number;
  readonly decodeTokensPerSecond?: number;
  /** Over the last ten. */
  readonly recentDecodeTokensPerSecond?: number;
  /** ISO-8601. */
  readonly lastCompletedAt?: string;
  readonly lastRequest?: LastRequest;
}

/** Chats of all models. */
export interface BenchmarkSummary
  extends Omit<ModelBenchmark, "recentDecodeTokensPerSecond" | "lastCompletedAt" | "lastRequest"> {
  readonly available: boolean;
  readonly detail: string;
  readonly reportedModelCount: number;
}

/** Sums since the start of the server. */
export interface BenchmarkTotals {
  completed: number;
  failed: number;
  promptTokens: number;
  cachedTokens: number;
  generatedTokens: number;
  loadSeconds: number;
  prefillSeconds: number;
  decodeSeconds: number;
  firstTokenSeconds: number;
}

interface ModelRecord extends BenchmarkTotals {
  recent: { readonly tokens: number; readonly seconds: number }[];
  lastAt: number;
  last: LastRequest | undefined;
}

/** Keeps the sums of each model. */
export class BenchmarkStats {
  readonly #models = new Map<string, ModelRecord>();

  /** Records a completed chat. */
  complete(model: string, outcome: ChatOutcome, loadSeconds: number, now: number): void {
    const record = this.#record(model);
    const { promptTokens, cachedTokens, completionTokens, prefillSeconds, decodeSeconds, firstTokenSeconds } = outcome;
    record.completed++;
    record.promptTokens += promptTokens;
    record.cachedTokens += cachedTokens;
    record.generatedTokens += completionTokens;
    record.loadSeconds += loadSeconds;
    record.prefillSeconds += prefillSeconds;
    record.decodeSeconds += decodeSeconds;
    record.firstTokenSeconds += loadSeconds + firstTokenSeconds;
    record.recent = [...record.recent, { tokens: completionTokens, seconds: decodeSeconds }].slice(-RECENT);
    record.lastAt = now;
    record.last = lastRequest(outcome, loadSeconds);
  }

  /** Records a chat that failed through no fault of its client. */
  fail(model: string): void {
    this.#record(model).failed++;
  }

  /** Sums by model. */
  totals(): ReadonlyMap<string, Readonly<BenchmarkTotals>> {
    return this.#models;
  }

  /** Undefined for a model without chats. */
  of(model: string): ModelBenchmark | undefined {
    const record = this.#models.get(model);
    if (!record) return undefined;
    const recent = tokensPerSecond(sum(record.recent, (one) => one.tokens), sum(record.recent, (one) => one.seconds));
    return {
      ...benchmark(record),
      ...(recent === undefined ? {} : { recentDecodeTokensPerSecond: recent }),
      ...(record.last ? { lastCompletedAt: new Date(record.lastAt).toISOString(), lastRequest: record.last } : {}),
    };
  }

  /** Means over the chats of all models. */
  summary(): BenchmarkSummary {
    const records = [...this.#models.values()];
    const all = newRecord();
    for (const record of records) {
      for (const key of totalKeys) all[key] += record[key];
    }
    const detail = all.completed > 0 ? "Chats since the start of the server" : "No chat has completed yet";
    return { available: all.completed > 0, detail, reportedModelCount: records.length, ...benchmark(all) };
  }

  #record(model: string): ModelRecord {
    const record = this.#models.get(model) ?? newRecord();
    this.#models.set(model, record);
    return record;
  }
}

const totalKeys = [
  "completed",
  "failed",
  "promptTokens",
  "cachedTokens",
  "generatedTokens",
  "loadSeconds",
  "prefillSeconds",
  "decodeSeconds",
  "firstTokenSeconds",
] as const satisfies readonly (keyof BenchmarkTotals)[];

function newRecord(): ModelRecord {
  const zeros = Object.fromEntries(totalKeys.map((key) => [key, 0])) as unknown as BenchmarkTotals;
  return { ...zeros, recent: [], lastAt: 0, last: undefined };
}

function benchmark(totals: BenchmarkTotals): ModelBenchmark {
  const { completed, failed, generatedTokens, loadSeconds, prefillSeconds, decodeSeconds } = totals;
  const counts = { completedRequests: completed, failedRequests: failed, generatedTokens };
  if (completed === 0) return counts;
  const speed = tokensPerSecond(generatedTokens, decodeSeconds);
  return {
    ...counts,
    averageLoadSeconds: loadSeconds / completed,
    averagePrefillSeconds: prefillSeconds / completed,
    averageDecodeSeconds: decodeSeconds / completed,
    averageTotalSeconds: (loadSeconds + prefillSeconds + decodeSeconds) / completed,
    ...(speed === undefined ? {} : { decodeTokensPerSecond: speed }),
  };
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
