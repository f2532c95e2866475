/**
 * A world model in a worker of its own.
 *
 * @module
 */
import { WorkerModel } from "../../world/backends/worker_model.ts";
import type { ArworldSettings } from "./model_settings.ts";
import { spawnModelWorker } from "./spawn_model_worker.ts";

/** A model that starts its worker when it is prepared; until then nothing is loaded. */
export function openWorldModel(settings: ArworldSettings): WorkerModel<ArworldSettings> {
  return new WorkerModel(() => spawnModelWorker("arworld_worker"), settings);
}
