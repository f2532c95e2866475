/**
 * The session: reading, loading, uploading a source image, moving.
 *
 * @module
 */
import type { WorldSession } from "../session/world_session.ts";
import { MAX_IMAGE_BYTES } from "../../media/images/image_format.ts";
import { readNoFields } from "../protocol/requests/request_fields.ts";
import type { JobRecord } from "../protocol/job_record.ts";
import type { WorldSnapshot } from "../protocol/wire.ts";
import { toWire } from "../../json/wire_form.ts";
import { type FindWorld, locationOf, mediaResponse } from "./world_call.ts";
import {
  essence,
  readBody,
  readJson,
  readNeedlessJson,
  readOptionalJson,
  wrongContentType,
} from "../../http/request_body.ts";
import { BodyMemory } from "../../http/body_memory.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import { invalidRequest } from "../../errors/svc_error.ts";

/** The largest images that may be on their way at the same time, to all worlds at a base path. */
const UPLOADS = 4;

/** Routes below `/v1/world/session` of the worlds at a base path, except those of checkpoints. */
export function sessionRoutes(base: string, find: FindWorld): Route[] {
  const uploads = new BodyMemory(UPLOADS * MAX_IMAGE_BYTES);
  const sessionOf = (call: RouteCall): WorldSession => find(call).session;
  const accepted = (call: RouteCall, record: JobRecord): Response => {
    const world = call.part("world");
    const path = `${world === "" ? "" : `/worlds/${world}`}/v1/world/jobs/${record.jobId}`;
    return Response.json(toWire(record), { status: 202, headers: { location: locationOf(call, path) } });
  };
  /** @param isWelcome Throws before up to 32 MiB are read. */
  const picture = async ({ request }: RouteCall, isWelcome: () => void): Promise<Uint8Array> => {
    const type = request.headers.get("content-type");
    if (!/^image\/.|^application\/octet-stream$/.test(essence(type))) {
      throw wrongContentType(type, "image/* or application/octet-stream");
    }
    isWelcome();
    const bytes = await readBody(request, MAX_IMAGE_BYTES, uploads);
    if (bytes.length === 0) throw invalidRequest("empty_body", "Cannot take a source image: the body is empty");
    return bytes;
  };
  const at = `${base}/v1/world/session`;
  return [
    { method: "GET", path: at, handle: (call) => Response.json(toWire(sessionOf(call).snapshot())) },
    { method: "GET", path: `${at}/walk`, handle: async (call) => Response.json(toWire(await sessionOf(call).walk())) },
    {
      method: "GET",
      path: `${at}/walk/media/output`,
      handle: async (call) => {
        const session = sessionOf(call);
        return mediaResponse(session, call.request, await session.walkVideo(), "video/mp4");
      },
    },
    {
      method: "POST",
      path: `${at}/prepare`,
      handle: async (call) => {
        const session = sessionOf(call);
        readNoFields("prepare the session", await readNeedlessJson(call.request));
        return Response.json(toWire(await prepared(session, call.request.signal)));
      },
    },
    {
      method: "POST",
      path: `${at}/source`,
      handle: async (call) => {
        const session = sessionOf(call);
        const bytes = await picture(call, () => session.checkIdle("take a source image"));
        return Response.json(toWire(await session.setSource(bytes)));
      },
    },
    {
      method: "POST",
      path: `${at}/source/check`,
      handle: async (call) => {
        const session = sessionOf(call);
        return Response.json(toWire(await session.checkSource(await picture(call, () => {}))));
      },
    },
    {
      method: "POST",
      path: `${at}/transitions`,
      handle: async (call) => {
        const session = sessionOf(call);
        return accepted(call, await session.startTransition(await readJson(call.request)));
      },
    },
    {
      method: "POST",
      path: `${at}/rollouts`,
      handle: async (call) => {
        const session = sessionOf(call);
        return accepted(call, await session.startRollout(await readJson(call.request)));
      },
    },
    {
      method: "POST",
      path: `${at}/reset`,
      handle: async (call) => {
        const session = sessionOf(call);
        return Response.json(toWire(await session.reset(await readOptionalJson(call.request))));
      },
    },
    {
      method: "POST",
      path: `${at}/unload`,
      handle: async (call) => {
        const session = sessionOf(call);
        readNoFields("unload the session", await readNeedlessJson(call.request));
        return Response.json(toWire(await session.unload()));
      },
    },
    {
      method: "GET",
      path: `${at}/media/frame`,
      handle: (call) => {
        const session = sessionOf(call);
        return mediaResponse(session, call.request, session.framePath, "image/png");
      },
    },
  ];
}

/** A client that has left does not wait for the model any more. */
async function prepared(session: WorldSession, left: AbortSignal): Promise<WorldSnapshot> {
  try {
    return await session.prepare({}, left);
  } catch (error) {
    if (!left.aborted) throw error;
    throw invalidRequest("incomplete_body", "Cannot prepare the session: the connection ended before that was done");
  }
}
