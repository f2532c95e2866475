/**
 * A world model in a worker of its own.
 *
 * @module
 */
import type { ModelMessage, ModelReply, ModelWorker } from "../world/model_protocol.ts";
import { WorkerModel } from "../world/worker_model.ts";
import type { ArworldSettings } from "./arworld_settings.ts";
import { siblingModule, spawnWorker } from "./spawn_worker.ts";

/** A model that starts its worker when it is prepared; until then nothing is loaded. */
export function openWorldModel(settings: ArworldSettings): WorkerModel<ArworldSettings> {
  return new WorkerModel(
    async (): Promise<ModelWorker<ArworldSettings>> =>
      await spawnWorker<ModelMessage<ArworldSettings>, ModelReply>(siblingModule("arworld_worker", import.meta.url), {
        name: "world model",
      }),
    settings,
  );
}
