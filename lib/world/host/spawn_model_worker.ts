/**
 * Workers for models.
 *
 * @module
 */
import type { ModelMessage, ModelReply, ModelWorker } from "../backends/model_protocol.ts";
import { offerMountedDriver } from "../../platform/machine/mounted_driver.ts";
import { siblingModule, spawnWorker } from "../../platform/workers/spawn_worker.ts";

/** Starts a module of this folder that runs `serveModel`. */
export async function spawnModelWorker<Settings>(module: string): Promise<ModelWorker<Settings>> {
  offerMountedDriver(); // the worker's own variables may be a copy
  const url = siblingModule(module, import.meta.url);
  return await spawnWorker<ModelMessage<Settings>, ModelReply>(url, { name: "world model" });
}
