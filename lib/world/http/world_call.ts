/**
 * The world that a request is for.
 *
 * @module
 */
import type { RouteCall } from "../../http/router.ts";
import type { World } from "../session/worlds/worlds.ts";

/** Finds the world of a request by its path: `/worlds/<id>/…`, or the first one where the path names none. */
export type FindWorld = (call: RouteCall) => World;

/** What a proxy may set, a path without dots, queries and doubled slashes. */
const PREFIX = /^(?:\/[\w~!$&'()*+,;=:@%-][\w.~!$&'()*+,;=:@%-]*)+$/;

/**
 * A path of this server as the client has to ask for it: behind what a proxy has taken away, which it tells in
 * `X-Forwarded-Prefix`.
 */
export function locationOf(call: RouteCall, path: string): string {
  const prefix = call.request.headers.get("x-forwarded-prefix")?.replace(/\/$/, "") ?? "";
  return prefix.length <= 256 && PREFIX.test(prefix) ? prefix + path : path;
}
