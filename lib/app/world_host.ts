/**
 * World sessions of your own: the session that the server runs, with model, files, media and clock given to it.
 *
 * @example
 * ```ts
 * import { openMedia } from "@svc/sdk/media";
 * import { folderFiles, openWorldBackend, WorldSession } from "@svc/sdk/world";
 *
 * const { backend, record, roots } = await openWorldBackend({ backend: "arworld", device: "cpu" });
 * const session = new WorldSession({
 *   backend,
 *   record,
 *   roots,
 *   media: openMedia(),
 *   files: folderFiles(await Deno.makeTempDir()),
 *   clock: () => new Date(),
 *   newId: () => crypto.randomUUID(),
 * });
 * console.assert(session.snapshot().phase === "cold");
 * await session.close();
 * ```
 *
 * @module
 */
import { pathPolicy } from "../platform/files/path_policy.ts";
import { stateFiles } from "../world/host/state_files.ts";
import type { WorldFiles } from "../world/session/world_files.ts";
import type { ServedModel, ServedModelOptions } from "./world/served_model.ts";

export { UsageError } from "../errors/option_error.ts";
export type { ModelDefaults, ModelRoots } from "../world/protocol/model_files.ts";
export type { Backend } from "../world/session/backend.ts";
export type { MadeChunk } from "../world/session/moves/chunk_publisher.ts";
export type { JobView } from "../world/session/moves/job.ts";
export type { Notice, SessionEvents } from "../world/session/session_events.ts";
export type { SessionLimits, WorldSessionOptions } from "../world/session/session_options.ts";
export type { StoredFile, WorldFiles } from "../world/session/world_files.ts";
export { WorldSession } from "../world/session/world_session.ts";
export type { ServedModel as WorldBackend, ServedModelOptions as WorldBackendOptions };

/**
 * Locates a model and prepares its worker. Importing this module does not load the code of models, calling this does.
 *
 * @throws {UsageError} when the folders do not match the kind of model.
 */
export async function openWorldBackend(options: ServedModelOptions): Promise<ServedModel> {
  return await (await import("./world/served_model.ts")).openServedModel(options);
}

/**
 * Files of a session in a folder, which must exist.
 *
 * @param allowed Folders besides it that requests may name files in.
 */
export function folderFiles(directory: string, allowed: readonly string[] = []): WorldFiles {
  return stateFiles(directory, { policy: pathPolicy([directory, ...allowed]) });
}
