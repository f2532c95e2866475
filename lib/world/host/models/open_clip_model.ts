/**
 * A clip model in its own worker.
 *
 * @module
 */
import { ModelWorkerHost, type WorkerListeners } from "../../backends/model_worker_host.ts";
import { WorkerClipModel } from "../../backends/worker_clip_model.ts";
import type { ActionworldSettings } from "./model_devices.ts";
import { spawnModelWorker } from "../spawn_model_worker.ts";

/** A worker that is started by the first chain that is prepared; nothing is loaded before. */
export function openClipModels(
  settings: ActionworldSettings,
  listeners?: WorkerListeners,
): ModelWorkerHost<ActionworldSettings> {
  return new ModelWorkerHost(() => spawnModelWorker("actionworld_worker"), settings, listeners);
}

/** A model in a worker of its own. */
export function openClipModel(settings: ActionworldSettings): WorkerClipModel<ActionworldSettings> {
  return new WorkerClipModel(openClipModels(settings));
}
