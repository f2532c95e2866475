/**
 * Jobs and their media.
 *
 * @module
 */
import type { WorldSession } from "../session/world_session.ts";
import { toWire } from "../../json/wire_form.ts";
import { type FindWorld, mediaResponse, pathId } from "./world_call.ts";
import type { JobView } from "../session/moves/job.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import { invalidRequest } from "../../errors/svc_error.ts";

/** Routes below `/v1/world/jobs` of the worlds at a base path. */
export function jobRoutes(base: string, find: FindWorld): Route[] {
  const sessionOf = (call: RouteCall): WorldSession => find(call).session;
  const jobOf = (call: RouteCall): JobView => sessionOf(call).job(pathId(call, "job"));
  const chunk = (call: RouteCall): Promise<Response> => {
    const { chunks } = jobOf(call);
    const index = call.part("index");
    if (!/^\d{1,9}$/.test(index)) {
      const message = `Cannot find chunk ${JSON.stringify(index)}: expected a block_index, a whole number`;
      throw invalidRequest("invalid_chunk_index", message);
    }
    const path = chunks.find((c) => c.blockIndex === Number(index))?.path;
    return mediaResponse(sessionOf(call), call.request, path, "video/mp4");
  };
  const at = `${base}/v1/world/jobs/:id`;
  return [
    { method: "GET", path: at, handle: (call) => Response.json(toWire(jobOf(call).record())) },
    {
      method: "DELETE",
      path: at,
      handle: (call) => Response.json(toWire(sessionOf(call).cancel(pathId(call, "job"))), { status: 202 }),
    },
    { method: "GET", path: `${at}/media/chunks/:index`, handle: chunk },
    {
      method: "GET",
      path: `${at}/media/output`,
      handle: (call) => mediaResponse(sessionOf(call), call.request, jobOf(call).outputPath, "video/mp4"),
    },
    {
      method: "GET",
      path: `${at}/media/terminal-frame`,
      handle: (call) => mediaResponse(sessionOf(call), call.request, jobOf(call).framePath, "image/png"),
    },
  ];
}
