/**
 * Models in their own processes.
 *
 * @module
 */
import type { ChatEngine, OperationEngine } from "../../../engines/contract/chat_engine.ts";
import { connectEngine } from "../../../engines/process/connect_engine.ts";
import type { EngineId } from "../../../engines/contract/engine_ids.ts";
import type { EngineSettings } from "../../../engines/contract/engine_settings.ts";
import type { InstalledModel } from "../../../store/catalog/installed_model.ts";
import { type EngineChild, EngineEndedError } from "../../../engines/process/engine_child.ts";
import { offerMountedDriver } from "../../../platform/machine/mounted_driver.ts";
import { vulkanDrivers } from "../../../platform/machine/vulkan_driver.ts";
import { forkProcess } from "../../../platform/processes/fork_process.ts";
import type { Log } from "../../../platform/processes/log.ts";
import { siblingModule } from "../../../platform/workers/spawn_worker.ts";

/** Longest line of an engine that is logged. */
const LINE_LIMIT = 2000;

/** What an engine is spawned with. */
export interface SpawnSettings extends EngineSettings {
  readonly log: Log;
  /** Called on the progress of the load, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  /** Another model whose files the engine reads. */
  readonly companion?: InstalledModel | undefined;
}

/**
 * Starts a process, opens the model in it and resolves when it is ready.
 *
 * @throws {SvcError} what the engine says about the model.
 * @throws {Error} when the model has no engine, cannot be opened or the process ends.
 * @throws the reason of `signal` when it aborts; nothing is left of the process by then.
 *
 * @example
 * ```ts ignore
 * const engine = await spawnEngine(model, { ...settings, log: createLog() }, AbortSignal.timeout(60_000));
 * console.log(engine.kind, engine.device);
 * await engine.stop();
 * ```
 */
export async function spawnEngine(
  model: InstalledModel,
  { log, onProgress = () => {}, companion, device, adapter, threads, context, concurrency, kvCacheMode, lora }:
    SpawnSettings,
  signal: AbortSignal,
): Promise<ChatEngine | OperationEngine> {
  const { id, profile } = model;
  if (profile === undefined) {
    throw new Error(`Cannot start model ${id}: its task is ${model.task}, which no engine of this version serves`);
  }
  signal.throwIfAborted();
  const environment = engineEnvironment(profile.engine, device);
  const child = forkEngine(siblingModule("engine_process", import.meta.url), id, log, environment);
  return await connectEngine(child, {
    model: {
      id,
      profile,
      ...filesOf(model),
      ...companion && { companion: filesOf(companion) },
    },
    settings: { device, adapter, threads, context, concurrency, kvCacheMode, lora },
    onProgress,
  }, signal);
}

function filesOf({ folder, files }: InstalledModel): { readonly folder: string; readonly files: readonly string[] } {
  return { folder, files: files.map(({ path }) => path) };
}

/**
 * Starts an engine process. It gets no secrets from the environment, and its output goes to the log line by line.
 *
 * @param module URL of a module that runs `serveEngine`.
 * @param name Name of the engine in errors and in the log.
 * @param environment Variables of the environment besides those of this process.
 */
export function forkEngine(
  module: URL,
  name: string,
  log: Log,
  environment: Readonly<Record<string, string>> = {},
): EngineChild {
  offerMountedDriver();
  const child = forkProcess(module, {
    environment,
    onLine: (line) => log("info", "engine_output", { engine: name, line: line.slice(0, LINE_LIMIT) }),
    ended: (how, code) => {
      const message = `Cannot continue with the engine of ${name}: its process has exited (${how}), start it again`;
      return new EngineEndedError(message, code);
    },
  });
  return { port: child, processID: child.processID, exited: child.exited, kill: child.kill };
}

/**
 * What an engine's process needs in its environment. node-llama-cpp hands each token to one of Node's four worker
 * threads, where llama.cpp starts its others: on another core with every token, often on one where the first of them
 * spins already. With a single worker thread they stay where they are, and a token takes three quarters of the time on
 * two cores. On a GPU llama.cpp has no such threads, and several answers are sampled on several workers.
 */
export function engineEnvironment(engine: EngineId, device: string | undefined): Readonly<Record<string, string>> {
  const onCpu = device === "cpu" || vulkanDrivers() !== "gpu";
  return engine.startsWith("gguf-") && onCpu ? { UV_THREADPOOL_SIZE: "1" } : {};
}
