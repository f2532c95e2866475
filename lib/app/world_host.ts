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
import { stateFiles } from "./world/state_files.ts";
import type { WorldFiles } from "../world/session/world_files.ts";

export { cameraOfKeys, inverseCamera, MOVE_SIZE, type MoveSize } from "../world/protocol/camera_keys.ts";
export { parseWalkActions, WalkActionError, type WalkActions } from "../world/protocol/walk_actions.ts";
export type { DeliverChunk, MadeChunk } from "../world/session/moves/chunk_publisher.ts";
export type { Job } from "../world/session/moves/job.ts";
export type { SessionEvents } from "../world/session/session_events.ts";
export type { SessionLogEntry, WorldSessionOptions } from "../world/session/session_options.ts";
export type { StoredFile, WorldFiles } from "../world/session/world_files.ts";
export type { WorldMedia } from "../world/session/world_media.ts";
export { WorldSession } from "../world/session/world_session.ts";
export {
  openServedModel as openWorldBackend,
  type ServedModel,
  type ServedModelOptions,
} from "./world/served_model.ts";

/**
 * Files of a session in a folder, which must exist.
 *
 * @param allowed Folders besides it that requests may name files in.
 */
export function folderFiles(directory: string, allowed: readonly string[] = []): WorldFiles {
  return stateFiles(directory, { policy: pathPolicy([directory, ...allowed]) });
}
