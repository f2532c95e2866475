/**
 * A world model in its own worker.
 *
 * @module
 */
import { WorkerModel } from "../../world/backends/worker_model.ts";
import type { ArworldSettings } from "./model_settings.ts";
import { spawnModelWorker } from "./spawn_model_worker.ts";

/** A model that starts its worker on `prepare`; nothing is loaded before. */
export function openWorldModel(settings: ArworldSettings): WorkerModel<ArworldSettings> {
  return new WorkerModel(() => spawnModelWorker("arworld_worker"), settings);
}
