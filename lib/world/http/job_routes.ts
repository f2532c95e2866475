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

/** Most seconds for which a request waits for a change of a job. */
export const LONGEST_WAIT = 10;

/** Requests that may wait for a change at a time; others are answered at once. */
export const MAX_WAITING = 64;

/** Options of {@linkcode jobRoutes}. */
interface JobRoutesOptions {
  /** Waits, in milliseconds; rejects when the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Routes below `/v1/world/jobs` of the worlds at some base paths. */
export function jobRoutes(bases: readonly string[], find: FindWorld, { wait }: JobRoutesOptions): Route[] {
  let waiting = 0;
  const record = async (call: RouteCall): Promise<Response> => {
    const id = pathId(call, "job");
    const { session, ended } = find(call);
    const { request } = call;
    const known = request.headers.get("if-none-match");
    const seconds = preferredWait(request);
    if (seconds > 0 && known === tagOf(session.job(id)) && waiting < MAX_WAITING) {
      waiting++;
      await nextChange(session, id, (signal) => wait(1000 * seconds, AbortSignal.any([signal, ended, request.signal])))
        .finally(() => waiting--);
    }
    const job = session.job(id);
    const etag = tagOf(job);
    const headers = { etag, "cache-control": "no-store" };
    if (known === etag) return new Response(null, { status: 304, headers });
    return Response.json(toWire(job.record()), { headers });
  };
  return bases.flatMap((base) => routesAt(base, find, record));
}

/** Distinguishes the states of a job, also those of one that an earlier process has left. */
function tagOf({ active, changes }: JobView): string {
  return `"${active ? changes : "ended"}"`;
}

/** Seconds of `Prefer: wait=<seconds>` (RFC 7240, section 4.3). */
function preferredWait(request: Request): number {
  const [, seconds] = /(?:^|[,;\s])wait=(\d{1,6})(?:$|[,;\s])/.exec(request.headers.get("prefer") ?? "") ?? [];
  return Math.min(Number(seconds ?? 0), LONGEST_WAIT);
}

/** Resolves when an active job has changed, and when `wait` has ended. */
async function nextChange(
  session: WorldSession,
  id: string,
  wait: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const job = session.job(id);
  const before = job.changes;
  const changed = new AbortController();
  if (!job.active) return;
  const unsubscribe = session.events.subscribe(() => job.changes === before || changed.abort());
  await wait(changed.signal).catch(() => {});
  unsubscribe();
}

function routesAt(base: string, find: FindWorld, record: Route["handle"]): Route[] {
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
    { method: "GET", path: at, handle: record },
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
