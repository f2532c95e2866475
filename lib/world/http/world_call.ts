/**
 * What routes of worlds share: the world and the id that a request is for, where its results are, and answers with files.
 *
 * @module
 */
import type { RouteCall } from "../../http/router.ts";
import type { World } from "../session/worlds.ts";
import { invalidRequest, notFound } from "../../errors/svc_error.ts";
import type { WorldSession } from "../session/world_session.ts";
import { fileResponse } from "../../http/file_response.ts";
import { requestPath } from "../../http/access_policy.ts";

/** Finds the world of a request by its path: `/worlds/<id>/…`, or the first one where the path names none. */
export type FindWorld = (call: RouteCall) => World;

/** What a proxy may set, a path without dots, queries and doubled slashes. */
const PREFIX = /^(?:\/[\w~!$&'()*+,;=:@%-][\w.~!$&'()*+,;=:@%-]*)+$/;

/**
 * A path of this server as the client has to ask for it: after the prefix that a proxy strips and reports in
 * `X-Forwarded-Prefix`.
 */
export function locationOf(call: RouteCall, path: string): string {
  const prefix = call.request.headers.get("x-forwarded-prefix")?.replace(/\/$/, "") ?? "";
  return prefix.length <= 256 && PREFIX.test(prefix) ? prefix + path : path;
}

/**
 * The `:id` of a path.
 *
 * @param thing What it is the id of.
 * @throws {SvcError} `invalid_job_id`, `invalid_checkpoint_id` or `invalid_world_id` if it is not a UUID.
 */
export function pathId(call: RouteCall, thing: "job" | "checkpoint" | "world"): string {
  const id = call.part("id");
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id;
  throw invalidRequest(`invalid_${thing}_id`, `Cannot find ${thing} ${JSON.stringify(id)}: expected a UUID`);
}

/**
 * Answers GET and HEAD with a file of the session.
 *
 * @param path Undefined when it has not made it.
 * @throws {SvcError} `media_not_found`, `media_expired`, `range_not_satisfiable`.
 */
export async function mediaResponse(
  session: WorldSession,
  request: Request,
  path: string | undefined,
  contentType: "video/mp4" | "image/png",
): Promise<Response> {
  const file = path === undefined ? undefined : await session.openFile(path);
  if (file) return fileResponse(request, file, contentType);
  const reason = path === undefined ? "it has not been made" : "its file has been removed";
  const message = `Cannot find ${requestPath(request)}: ${reason}`;
  throw notFound("media_not_found", message);
}
