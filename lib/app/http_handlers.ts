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
 * @module
 */
export { type ModelHandler, type ModelHandlerOptions, openModelHandler } from "./models/open_model_handler.ts";
export {
  type Handler,
  openWorldHandler,
  type WorldHandler,
  type WorldHandlerOptions,
} from "./world/open_world_handler.ts";
