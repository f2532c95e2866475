/**
 * A chat model in `/runtime/status` and in the answers to its load and unload.
 *
 * @module
 */
import type { ChatEngine } from "../../engines/contract/chat_engine.ts";
import type { EngineCounters } from "../../engines/contract/language_model.ts";
import type { ModelStatus } from "../../scheduling/mod.ts";
import type { InstalledModel, RuntimeSettings } from "../../store/catalog/installed_model.ts";
import type { ModelBenchmark } from "./benchmark_stats.ts";

/** A model with its settings, state and counters; absent values are unknown, unset or have not happened. */
export interface ModelEntry extends ModelStatus, Omit<RuntimeSettings, "pinned" | "ttlSeconds">, EngineCounters {
  /** Its task; absent for a model that has settings and is not installed. */
  readonly category?: string;
  readonly engine?: string;
  readonly installPath?: string;
  /** Such as `cpu` or `cuda`, while it is loaded. */
  readonly device?: string;
  readonly benchmarkStats?: ModelBenchmark;
  /** How it was loaded, while it is loaded. */
  readonly startupTiming?: { readonly loadSeconds: number };
}

/** The parts of a {@linkcode ModelEntry}. */
export interface ModelEntryParts {
  readonly status: ModelStatus;
  readonly model: InstalledModel | undefined;
  readonly settings: RuntimeSettings | undefined;
  readonly engine: ChatEngine | undefined;
  readonly benchmark: ModelBenchmark | undefined;
}

/** Combines the parts. */
export function modelEntry({ status, model, settings, engine, benchmark }: ModelEntryParts): ModelEntry {
  const name = settings?.engineOverride ?? model?.profile?.engine;
  const { id, ...state } = status;
  return {
    id,
    ...(model ? { category: model.task, installPath: model.folder } : {}),
    ...(name === undefined ? {} : { engine: name }),
    ...settings,
    ...state,
    ...(engine ? { device: engine.device, ...engine.counters } : {}),
    ...(benchmark ? { benchmarkStats: benchmark } : {}),
    ...(engine ? { startupTiming: { loadSeconds: engine.loadSeconds } } : {}),
  };
}
