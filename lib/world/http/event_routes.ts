import { EventStream, type EventSubject } from "./event_stream.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** Event streams that may be open at a time: each holds a connection. */
export const MAX_EVENT_STREAMS = 64;

/** Options of {@linkcode eventRoutes}. */
export interface EventRoutesOptions {
  /** Waits between keepalives, in milliseconds; rejects when the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Finds what events are of: a session, until it has ended. */
export type FindSubject = (call: RouteCall) => { readonly session: EventSubject; readonly ended: AbortSignal };

/** The routes of the server-sent events of the worlds at some base paths. */
export function eventRoutes(bases: readonly string[], find: FindSubject, { wait }: EventRoutesOptions): Route[] {
  const open = new Set<EventStream>();
  return bases.map((base) => ({
    method: "GET",
    path: `${base}/v1/world/events`,
    handle: (call) => {
      const { request } = call;
      const { session, ended } = find(call);
      const headers = {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no", // proxies that buffer answers would delay the events
      };
      if (request.method === "HEAD") return new Response(null, { headers });
      if (open.size === MAX_EVENT_STREAMS) {
        const message =
          `Cannot open an event stream: ${open.size} are open, close one or read the session and its jobs`;
        throw new SvcError("too_many_event_streams", message);
      }
      const lastEventId = request.headers.get("last-event-id");
      const end = (): void => stream.end();
      const onClose = (): void => {
        open.delete(stream);
        ended.removeEventListener("abort", end);
      };
      const stream: EventStream = new EventStream(session, { lastEventId, wait, onClose });
      open.add(stream);
      if (ended.aborted) stream.end();
      else ended.addEventListener("abort", end);
      return new Response(stream.body, { headers });
    },
  }));
}
