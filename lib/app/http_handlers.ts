/**
 * The servers as handlers from request to response, for hosts that listen by themselves.
 *
 * @example
 * ```ts
 * import { openWorldHandler } from "@svc/sdk/http";
 *
 * const handler = await openWorldHandler({ stateDirectory: await Deno.makeTempDir(), device: "cpu" });
 * const response = await handler.fetch(new Request("http://localhost/health"));
 * console.assert(response.status === 200);
 * await handler.close();
 * ```
 *
 * Importing this module loads neither: each function loads its server when it is called.
 *
 * @module
 */
import type { ModelHandler, ModelHandlerOptions } from "./models/open_model_handler.ts";
import type { WorldHandler, WorldHandlerOptions } from "./world/open_world_handler.ts";

export type { ModelHandler, ModelHandlerOptions, WorldHandler, WorldHandlerOptions };
export { FolderLockedError, PermitsRefusedError, UsageError } from "../errors/option_error.ts";
export type { Handler } from "../http/router.ts";

/**
 * Opens a model API server that does not listen: requests are given to {@linkcode Handler.fetch}.
 *
 * @param signal Gives up waiting for this process's share of the machine.
 * @throws {UsageError} when the options contradict each other or name a missing model.
 * @throws {PermitsRefusedError} when there is too little memory.
 */
export async function openModelHandler(
  options: ModelHandlerOptions = {},
  signal?: AbortSignal,
): Promise<ModelHandler> {
  return await (await import("./models/open_model_handler.ts")).openModelHandler(options, signal);
}

/**
 * Opens a world server that does not listen: requests are given to {@linkcode Handler.fetch}.
 *
 * @throws {UsageError} when `model` needs a base or there is no such `encoder`.
 * @throws {FolderLockedError} when another server uses the state directory.
 * @throws {SvcError} when preparing fails, if it is asked for.
 */
export async function openWorldHandler(options: WorldHandlerOptions = {}): Promise<WorldHandler> {
  return await (await import("./world/open_world_handler.ts")).openWorldHandler(options);
}
