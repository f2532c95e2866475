/**
 * How a server starts the engines of its models.
 *
 * @module
 */
import { chatLimits } from "../../../api/service/chat_service.ts";
import type { ChatEngine, OperationEngine } from "../../../engines/contract/chat_engine.ts";
import { EngineEndedError } from "../../../engines/process/engine_child.ts";
import type { EngineSettings } from "../../../engines/contract/engine_settings.ts";
import type { Log } from "../../../platform/processes/log.ts";
import { spawnEngine } from "./spawn_engine.ts";
import type { InstalledModel, RuntimeSettings } from "../../../store/catalog/installed_model.ts";
import type { StartupModel } from "../startup_model.ts";

/** Settings that all engines of a server share. */
export interface EngineStarterOptions {
  readonly device: string;
  readonly adapter?: string | undefined;
  readonly threads: number | undefined;
  /** Maximum number of tokens of prompt and answer together. */
  readonly contextSize: number;
  readonly concurrency: number;
  /** Settings of the startup model only. */
  readonly startup: StartupModel | undefined;
  readonly log: Log;
  /** Called on the progress of every load, from 0 to 1. */
  readonly onLoad: (model: string, fraction: number) => void;
}

/** Starts engines and tracks the running ones. */
export interface EngineStarter {
  readonly startChat: (
    model: InstalledModel,
    settings: RuntimeSettings,
    signal: AbortSignal,
    draft?: InstalledModel,
  ) => Promise<ChatEngine>;
  readonly startLaneEngine: (
    model: InstalledModel,
    settings: RuntimeSettings,
    signal: AbortSignal,
    companion?: InstalledModel,
  ) => Promise<OperationEngine>;
  /** Ids of the running processes. */
  readonly processes: () => readonly number[];
}

/** Starts each engine in its own process. */
export function engineStarter(options: EngineStarterOptions): EngineStarter {
  const { log, onLoad } = options;
  const running = new Set<ChatEngine | OperationEngine>();

  async function start(
    model: InstalledModel,
    settings: RuntimeSettings,
    signal: AbortSignal,
    companion?: InstalledModel,
  ) {
    const { id } = model;
    log("info", "model_loading", { model: id, bytes: model.bytes });
    const engine = await spawnEngine(
      model,
      { ...engineSettings(model, settings, options), log, companion, onProgress: (fraction) => onLoad(id, fraction) },
      signal,
    );
    running.add(engine);
    const ended = (reason: unknown) => {
      running.delete(engine);
      const crashed = !(reason instanceof EngineEndedError && reason.exitCode === 0);
      log(crashed ? "warn" : "info", "model_unloaded", {
        model: id,
        process: engine.processID,
        ...crashed && { reason: reason instanceof Error ? reason.message : String(reason) },
      });
    };
    engine.exited.then(ended, ended);
    const { device, tried = [], loadSeconds, processID } = engine;
    for (const { device, reason } of tried) log("warn", "device_failed", { model: id, device, reason });
    const { deviceKVCache: cache } = engine.kind === "chat" ? engine.counters : {};
    if (cache?.enabled === false) log("warn", "cache_copied", { model: id, device, reason: cache.reason });
    log("info", "model_loaded", { model: id, device, seconds: loadSeconds.toFixed(2), process: processID });
    return engine;
  }

  return {
    startChat: async (model, settings, signal, draft) => {
      const engine = await start(model, settings, signal, draft);
      if (engine.kind === "chat") return engine;
      throw await wrongKind(engine, "a chat model");
    },
    startLaneEngine: async (model, settings, signal, companion) => {
      const engine = await start(model, settings, signal, companion);
      if (engine.kind !== "chat") return engine;
      throw await wrongKind(engine, `a model for ${model.task}`);
    },
    processes: () => [...running].map(({ processID }) => processID),
  };
}

/** The settings of a model's engine: the model's own, else the server's. */
export function engineSettings(
  { id, profile }: InstalledModel,
  settings: RuntimeSettings,
  { device, adapter, threads, contextSize, concurrency, startup }: EngineStarterOptions,
): EngineSettings {
  const own = id === startup?.model.id ? startup : undefined;
  const { kvCacheMode = "default" } = settings;
  return {
    device,
    ...adapter !== undefined && { adapter },
    threads,
    context: profile?.kind === "chat"
      ? chatLimits(profile, settings, contextSize).context
      : profile !== undefined && "context" in profile
      ? profile.context
      : contextSize,
    concurrency,
    kvCacheMode: kvCacheMode === "default" && own?.packedKv ? "polar2" : kvCacheMode,
    lora: own?.lora,
  };
}

/** The stored profile says what a model is: an engine of another kind was started on other files. */
async function wrongKind(engine: ChatEngine | OperationEngine, expected: string): Promise<Error> {
  await engine.stop();
  return new Error(
    `Cannot use the engine ${engine.profile.engine}: expected ${expected}, add the model to the store again`,
  );
}
