import { EventStream, type EventSubject } from "./event_stream.ts";
import type { Route } from "../../http/router.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** Event streams that may be open at a time: each holds a connection. */
export const MAX_EVENT_STREAMS = 64;

/** Options of {@linkcode eventRoutes}. */
export interface EventRoutesOptions {
  /** Waits between keepalives, in milliseconds; rejects when the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Ends all streams when it aborts. */
  readonly ended: AbortSignal | undefined;
}

/** The route of a session's server-sent events. */
export function eventRoutes(subject: EventSubject, { wait, ended }: EventRoutesOptions): Route[] {
  const open = new Set<EventStream>();
  ended?.addEventListener("abort", () => open.forEach((stream) => stream.end()));
  return [{
    method: "GET",
    path: "/v1/world/events",
    handle: ({ request }) => {
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
      const stream = new EventStream(subject, { lastEventId, wait, onClose: () => void open.delete(stream) });
      open.add(stream);
      if (ended?.aborted) stream.end();
      return new Response(stream.body, { headers });
    },
  }];
}
