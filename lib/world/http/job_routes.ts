/**
 * Jobs and their media.
 *
 * @module
 */
import type { WorldSession } from "../session/world_session.ts";
import { mediaResponse } from "./media_response.ts";
import { pathId } from "./path_id.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import { invalidRequest } from "../../errors/make_error.ts";

/** Routes below `/v1/world/jobs`. */
export function jobRoutes(session: WorldSession): Route[] {
  const chunk = (call: RouteCall): Promise<Response> => {
    const { chunks } = session.job(pathId(call, "job"));
    const index = call.part("index");
    if (!/^\d{1,9}$/.test(index)) {
      const message = `Cannot find chunk ${JSON.stringify(index)}: expected a block_index, a whole number`;
      throw invalidRequest("invalid_chunk_index", message);
    }
    const path = chunks.find((c) => c.block_index === Number(index))?.path;
    return mediaResponse(session, call.request, path, "video/mp4");
  };
  const at = "/v1/world/jobs/:id";
  return [
    { method: "GET", path: at, handle: (call) => Response.json(session.job(pathId(call, "job")).record()) },
    {
      method: "DELETE",
      path: at,
      handle: (call) => Response.json(session.cancel(pathId(call, "job")), { status: 202 }),
    },
    { method: "GET", path: `${at}/media/chunks/:index`, handle: chunk },
    {
      method: "GET",
      path: `${at}/media/output`,
      handle: (call) => mediaResponse(session, call.request, session.job(pathId(call, "job")).outputPath, "video/mp4"),
    },
    {
      method: "GET",
      path: `${at}/media/terminal-frame`,
      handle: (call) => mediaResponse(session, call.request, session.job(pathId(call, "job")).framePath, "image/png"),
    },
  ];
}
