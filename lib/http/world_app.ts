/**
 * The HTTP interface of a world session.
 *
 * @module
 */
import { parseRequestJson } from "../world/request_json.ts";
import { asWorldError, invalidRequest, WorldError } from "../world/world_error.ts";
import type { WorldFiles } from "../world/world_files.ts";
import { MAX_IMAGE_BYTES, type WorldSession } from "../world/world_session.ts";
import type { WorldHealth } from "../world/wire.ts";
import type { AccessPolicy } from "./access_policy.ts";
import { fileResponse } from "./file_response.ts";
import { HttpError, httpError } from "./http_error.ts";
import { essence, isJsonType, readBody, wrongContentType } from "./request_body.ts";
import { createRouter, type Route, type RouteCall } from "./router.ts";

/** Largest JSON body, in bytes. */
const MAX_JSON_BYTES = 1024 * 1024;

/** What the handler works with. */
export interface WorldAppOptions {
  readonly session: WorldSession;
  readonly files: WorldFiles;
  readonly access: AccessPolicy;
  readonly version: string;
  readonly randomId: () => string;
  /** Hears of every unforeseen error, under the id that its response carries. */
  readonly onError?: (error: unknown, request: { id: string; method: string; path: string }) => void;
}

/**
 * The handler of a world server: a function from request to response. `peer` is the address at the other end of the
 * socket.
 *
 * @example
 * ```ts ignore
 * const access = new AccessPolicy({});
 * const handler = createWorldApp({ session, files, access, version: "1.0.0", randomId: () => crypto.randomUUID() });
 * const response = await handler(new Request("http://localhost/health"), "127.0.0.1");
 * ```
 */
export function createWorldApp(options: WorldAppOptions): (request: Request, peer: string) => Promise<Response> {
  const { session, files } = options;
  const health = (): Response => {
    const { version } = options;
    const record: WorldHealth = {
      object: "world.health",
      status: "ok",
      backend: "arworld",
      phase: session.phase,
      version,
    };
    return Response.json(record);
  };
  const rollout = async ({ request }: RouteCall): Promise<Response> => {
    const record = await session.startRollout(await readJson(request));
    return Response.json(record, { status: 202, headers: { location: `/v1/world/jobs/${record.job_id}` } });
  };
  const reset = async ({ request }: RouteCall): Promise<Response> => {
    return Response.json(await session.reset(await readOptionalJson(request)));
  };
  const source = async ({ request }: RouteCall): Promise<Response> => {
    const type = request.headers.get("content-type");
    if (!/^image\/.|^application\/octet-stream$/.test(essence(type))) {
      throw wrongContentType(type, "image/* or application/octet-stream");
    }
    const bytes = await readBody(request, MAX_IMAGE_BYTES);
    if (bytes.length === 0) throw invalidRequest("empty_body", "Cannot take a source image: the body is empty");
    return Response.json(await session.setSource(bytes));
  };
  const serve = async ({ request }: RouteCall, path: string | undefined, type: string): Promise<Response> => {
    const file = path === undefined ? undefined : await files.open(path);
    if (file) return fileResponse(request, file, type);
    const reason = path === undefined ? "the job has not made it" : "its file has been removed";
    const message = `Cannot find ${new URL(request.url).pathname}: ${reason}`;
    throw new WorldError("not_found_error", "media_not_found", message);
  };
  const chunk = (call: RouteCall): Promise<Response> => {
    const { chunks } = session.job(jobId(call));
    const index = call.part("index");
    if (!/^\d{1,9}$/.test(index)) {
      const message = `Cannot find chunk ${JSON.stringify(index)}: expected its block_index, a whole number`;
      throw invalidRequest("invalid_chunk_index", message);
    }
    return serve(call, chunks.find((c) => c.block_index === Number(index))?.path, "video/mp4");
  };
  const output = (call: RouteCall) => serve(call, session.job(jobId(call)).receipt?.output_path, "video/mp4");
  const frame = (call: RouteCall) => serve(call, session.job(jobId(call)).receipt?.terminal_frame_path, "image/png");

  const at = "/v1/world/session";
  const job = "/v1/world/jobs/:id";
  const routes: Route[] = [
    { method: "GET", path: "/health", open: true, handle: health },
    { method: "GET", path: at, handle: () => Response.json(session.snapshot()) },
    { method: "POST", path: `${at}/prepare`, handle: async () => Response.json(await session.prepare()) },
    { method: "POST", path: `${at}/source`, handle: source },
    { method: "POST", path: `${at}/rollouts`, handle: rollout },
    { method: "POST", path: `${at}/reset`, handle: reset },
    { method: "POST", path: `${at}/unload`, handle: async () => Response.json(await session.unload()) },
    { method: "GET", path: job, handle: (call) => Response.json(session.job(jobId(call)).record()) },
    {
      method: "DELETE",
      path: job,
      handle: (call) => Response.json(session.cancel(jobId(call)), { status: 202 }),
    },
    { method: "GET", path: `${job}/media/chunks/:index`, handle: chunk },
    { method: "GET", path: `${job}/media/output`, handle: output },
    { method: "GET", path: `${job}/media/terminal-frame`, handle: frame },
  ];
  return createRouter({
    routes,
    access: options.access,
    newRequestId: options.randomId,
    asHttpError: (error, request, id) => {
      if (error instanceof HttpError) return error;
      const known = asWorldError(error);
      if (known.code === "internal_error" || known.cause !== undefined) {
        options.onError?.(error, { id, method: request.method, path: new URL(request.url).pathname });
      }
      return httpError(known.toObject());
    },
  });
}

function jobId(call: RouteCall): string {
  const id = call.part("id");
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id;
  throw invalidRequest("invalid_job_id", `Cannot find job ${JSON.stringify(id)}: expected a UUID`);
}

async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type");
  if (!isJsonType(type)) throw wrongContentType(type, "application/json");
  return parseBytes(await readBody(request, MAX_JSON_BYTES));
}

/** A body that may be left out; what is there must be JSON. */
async function readOptionalJson(request: Request): Promise<unknown> {
  if (request.body === null || request.headers.get("content-length") === "0") return undefined;
  return await readJson(request);
}

function parseBytes(bytes: Uint8Array<ArrayBuffer>): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest("invalid_json", "Cannot read the body: it is no UTF-8");
  }
  return parseRequestJson(text);
}
