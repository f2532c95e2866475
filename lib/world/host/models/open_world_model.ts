/**
 * A world model in its own worker.
 *
 * @module
 */
import { ModelWorkerHost, type WorkerListeners } from "../../backends/model_worker_host.ts";
import { WorkerModel } from "../../backends/worker_model.ts";
import type { ArworldSettings } from "./model_devices.ts";
import { spawnModelWorker } from "../spawn_model_worker.ts";

/** A worker that is started by the first chain that is prepared; nothing is loaded before. */
export function openWorldModels(
  settings: ArworldSettings,
  listeners?: WorkerListeners,
): ModelWorkerHost<ArworldSettings> {
  return new ModelWorkerHost(() => spawnModelWorker("arworld_worker"), settings, listeners);
}

/** A model in a worker of its own. */
export function openWorldModel(settings: ArworldSettings): WorkerModel<ArworldSettings> {
  return new WorkerModel(openWorldModels(settings));
}
