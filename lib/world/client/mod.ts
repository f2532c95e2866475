/**
 * The client of a world server, for browsers, Deno and Node: it imports nothing but web standards.
 *
 * @example
 * ```ts ignore
 * import { WorldClient } from "@svc/sdk/client";
 *
 * const client = new WorldClient("http://127.0.0.1:8791");
 * const { phase } = await client.session();
 * ```
 *
 * @module
 */
export { cameraOfKeys, inverseCamera } from "../protocol/camera_keys.ts";
export type * from "../protocol/job_record.ts";
export type { WorldPose } from "../protocol/pose.ts";
export type * from "../protocol/requests/request_bodies.ts";
export type * from "../protocol/walk_record.ts";
export type * from "../protocol/wire.ts";
export { parseWalkActions, type WalkActions } from "../protocol/walk_actions.ts";
export type * from "./client_options.ts";
export { WorldApiError } from "./world_api_error.ts";
export { WorldClient } from "./world_client.ts";
