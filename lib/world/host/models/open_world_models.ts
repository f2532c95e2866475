/**
 * World models in workers of their own.
 *
 * @module
 */
import { ModelWorker, type WorkerChain, type WorkerListeners } from "../../backends/model_worker.ts";
import type { ClipOptions, ClipRequest } from "../../../models/world/clip_model.ts";
import type { BlockRequest, GenerateOptions } from "../../../models/world/world_model.ts";
import { offerMountedDriver } from "../../../platform/machine/mounted_driver.ts";
import type { WorkerHandle } from "../../../platform/rpc/rpc_port.ts";
import { siblingModule, spawnWorker } from "../../../platform/workers/spawn_worker.ts";
import type { ActionworldSettings, ArworldSettings } from "./model_devices.ts";

/** An arworld; its worker is started by the first chain that is prepared, and nothing is loaded before. */
export function openWorldModels(
  settings: ArworldSettings,
  listeners?: WorkerListeners,
): ModelWorker<ArworldSettings, BlockRequest, GenerateOptions> {
  return new ModelWorker(() => spawnModelWorker("arworld_worker"), settings, listeners);
}

/** An actionworld, likewise. */
export function openClipModels(
  settings: ActionworldSettings,
  listeners?: WorkerListeners,
): ModelWorker<ActionworldSettings, ClipRequest, ClipOptions> {
  return new ModelWorker(() => spawnModelWorker("actionworld_worker"), settings, listeners);
}

/** The one chain of an arworld. */
export function openWorldModel(settings: ArworldSettings): WorkerChain<BlockRequest, GenerateOptions> {
  return openWorldModels(settings).openChain();
}

/** The one chain of an actionworld. */
export function openClipModel(settings: ActionworldSettings): WorkerChain<ClipRequest, ClipOptions> {
  return openClipModels(settings).openChain();
}

/** Starts a module of the folder above that runs `serveModel`. */
async function spawnModelWorker(module: string): Promise<WorkerHandle> {
  offerMountedDriver(); // the worker's own variables may be a copy
  return await spawnWorker(siblingModule(`../${module}`, import.meta.url), { name: "world model" });
}
