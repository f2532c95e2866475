/**
 * The session: reading, loading, uploading a source image, moving.
 *
 * @module
 */
import { MAX_IMAGE_BYTES } from "../../media/images/image_limits.ts";
import type { WorldSession } from "../session/world_session.ts";
import type { JobRecord } from "../protocol/wire.ts";
import { readJson, readOptionalJson } from "../../http/json_body.ts";
import { mediaResponse } from "./media_response.ts";
import { BodyMemory } from "../../http/body_memory.ts";
import { essence, readBody, wrongContentType } from "../../http/request_body.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import { invalidRequest } from "../../errors/make_error.ts";

/** The largest images that may be on their way at the same time: only one of them will be taken. */
const UPLOADS = 4;

/** Routes below `/v1/world/session`, except those of checkpoints. */
export function sessionRoutes(session: WorldSession): Route[] {
  const uploads = new BodyMemory(UPLOADS * MAX_IMAGE_BYTES);
  const source = async ({ request }: RouteCall): Promise<Response> => {
    const type = request.headers.get("content-type");
    if (!/^image\/.|^application\/octet-stream$/.test(essence(type))) {
      throw wrongContentType(type, "image/* or application/octet-stream");
    }
    session.checkIdle("take a source image"); // before up to 32 MiB are read
    const bytes = await readBody(request, MAX_IMAGE_BYTES, uploads);
    if (bytes.length === 0) throw invalidRequest("empty_body", "Cannot take a source image: the body is empty");
    return Response.json(await session.setSource(bytes));
  };
  const at = "/v1/world/session";
  return [
    { method: "GET", path: at, handle: () => Response.json(session.snapshot()) },
    { method: "GET", path: `${at}/walk`, handle: async () => Response.json(await session.walk()) },
    {
      method: "GET",
      path: `${at}/walk/media/output`,
      handle: async ({ request }) => mediaResponse(session, request, await session.walkVideo(), "video/mp4"),
    },
    { method: "POST", path: `${at}/prepare`, handle: async () => Response.json(await session.prepare()) },
    { method: "POST", path: `${at}/source`, handle: source },
    {
      method: "POST",
      path: `${at}/transitions`,
      handle: async ({ request }) => accepted(await session.startTransition(await readJson(request))),
    },
    {
      method: "POST",
      path: `${at}/rollouts`,
      handle: async ({ request }) => accepted(await session.startRollout(await readJson(request))),
    },
    {
      method: "POST",
      path: `${at}/reset`,
      handle: async ({ request }) => Response.json(await session.reset(await readOptionalJson(request))),
    },
    { method: "POST", path: `${at}/unload`, handle: async () => Response.json(await session.unload()) },
    {
      method: "GET",
      path: `${at}/media/frame`,
      handle: ({ request }) => mediaResponse(session, request, session.framePath, "image/png"),
    },
  ];
}

function accepted(record: JobRecord): Response {
  return Response.json(record, { status: 202, headers: { location: `/v1/world/jobs/${record.job_id}` } });
}
