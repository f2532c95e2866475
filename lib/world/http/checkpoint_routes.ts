import type { WorldSession } from "../session/world_session.ts";
import { readJson, readNeedlessJson } from "../../http/request_body.ts";
import { toWire } from "../../json/wire_form.ts";
import { readNoFields } from "../protocol/requests/request_fields.ts";
import { type FindWorld, mediaResponse, pathId } from "./world_call.ts";
import type { Route, RouteCall } from "../../http/router.ts";

/** Routes below `/v1/world/session/checkpoints` of the worlds at a base path. */
export function checkpointRoutes(base: string, find: FindWorld): Route[] {
  const sessionOf = (call: RouteCall): WorldSession => find(call).session;
  const id = (call: RouteCall): string => pathId(call, "checkpoint");
  const at = `${base}/v1/world/session/checkpoints`;
  return [
    { method: "GET", path: at, handle: (call) => Response.json(toWire(sessionOf(call).checkpoints())) },
    {
      method: "POST",
      path: at,
      handle: async (call) => {
        const session = sessionOf(call);
        const record = await session.createCheckpoint(await readJson(call.request));
        return Response.json(toWire(record), { status: 201 });
      },
    },
    {
      method: "DELETE",
      path: `${at}/:id`,
      handle: async (call) => Response.json(toWire(await sessionOf(call).deleteCheckpoint(id(call)))),
    },
    {
      method: "POST",
      path: `${at}/:id/restore`,
      handle: async (call) => {
        const session = sessionOf(call);
        readNoFields("restore the checkpoint", await readNeedlessJson(call.request));
        return Response.json(toWire(await session.restoreCheckpoint(id(call))));
      },
    },
    {
      method: "GET",
      path: `${at}/:id/media/frame`,
      handle: (call) => {
        const session = sessionOf(call);
        return mediaResponse(session, call.request, session.checkpointFrame(id(call)), "image/png");
      },
    },
  ];
}
