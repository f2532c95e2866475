/**
 * The worlds of a server.
 *
 * @module
 */
import type { Worlds } from "../session/worlds/worlds.ts";
import { readWorldRequest } from "../protocol/requests/world_request.ts";
import { readOptionalJson } from "../../http/request_body.ts";
import type { Route } from "../../http/router.ts";
import { pathId } from "./path_id.ts";
import { locationOf } from "./world_call.ts";

/** Routes below `/v1/worlds`. */
export function worldsRoutes(worlds: Worlds): Route[] {
  const at = "/v1/worlds";
  return [
    { method: "GET", path: at, handle: () => Response.json({ object: "list", data: worlds.list() }) },
    {
      method: "POST",
      path: at,
      handle: async (call) => {
        const request = readWorldRequest(await readOptionalJson(call.request));
        const record = await worlds.open(request, await call.newId());
        const location = locationOf(call, `${at}/${record.world_id}`);
        return Response.json(record, { status: 201, headers: { location } });
      },
    },
    { method: "GET", path: `${at}/:id`, handle: (call) => Response.json(worlds.record(pathId(call, "world"))) },
    {
      method: "DELETE",
      path: `${at}/:id`,
      handle: async (call) => Response.json(await worlds.remove(pathId(call, "world"))),
    },
  ];
}
