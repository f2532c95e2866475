/**
 * A clip model in its own worker.
 *
 * @module
 */
import { WorkerClipModel } from "../../world/backends/worker_clip_model.ts";
import type { ActionworldSettings } from "./model_settings.ts";
import { spawnModelWorker } from "./spawn_model_worker.ts";

/** A model that starts its worker on `prepare`; nothing is loaded before. */
export function openClipModel(settings: ActionworldSettings): WorkerClipModel<ActionworldSettings> {
  return new WorkerClipModel(() => spawnModelWorker("actionworld_worker"), settings);
}
