/**
 * A model of clips in a worker of its own.
 *
 * @module
 */
import { WorkerClipModel } from "../../world/backends/worker_clip_model.ts";
import type { ActionworldSettings } from "./model_settings.ts";
import { spawnModelWorker } from "./spawn_model_worker.ts";

/** A model that starts its worker when it is prepared; until then nothing is loaded. */
export function openClipModel(settings: ActionworldSettings): WorkerClipModel<ActionworldSettings> {
  return new WorkerClipModel(() => spawnModelWorker("actionworld_worker"), settings);
}
