import type { WorldSession } from "../session/world_session.ts";
import { readJson } from "../../http/json_body.ts";
import { mediaResponse } from "./media_response.ts";
import { pathId } from "./path_id.ts";
import type { Route, RouteCall } from "../../http/router.ts";

/** Routes below `/v1/world/session/checkpoints`. */
export function checkpointRoutes(session: WorldSession): Route[] {
  const id = (call: RouteCall): string => pathId(call, "checkpoint");
  const at = "/v1/world/session/checkpoints";
  return [
    { method: "GET", path: at, handle: () => Response.json(session.checkpoints()) },
    {
      method: "POST",
      path: at,
      handle: async ({ request }) =>
        Response.json(await session.createCheckpoint(await readJson(request)), { status: 201 }),
    },
    {
      method: "DELETE",
      path: `${at}/:id`,
      handle: async (call) => Response.json(await session.deleteCheckpoint(id(call))),
    },
    {
      method: "POST",
      path: `${at}/:id/restore`,
      handle: async (call) => Response.json(await session.restoreCheckpoint(id(call))),
    },
    {
      method: "GET",
      path: `${at}/:id/media/frame`,
      handle: (call) => mediaResponse(session, call.request, session.checkpointFrame(id(call)), "image/png"),
    },
  ];
}
