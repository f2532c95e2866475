import { eventStream, type EventStreamOptions, type EventSubject } from "./event_stream.ts";
import { HttpError } from "./http_error.ts";
import type { Route } from "./router.ts";

/** Event streams that may be open at a time: each holds a connection. */
export const MAX_EVENT_STREAMS = 64;

/** The route of a session's server-sent events. */
export function eventRoutes(
  subject: EventSubject,
  { wait, ended }: Pick<EventStreamOptions, "wait" | "ended">,
): Route[] {
  let open = 0;
  return [{
    method: "GET",
    path: "/v1/world/events",
    handle: ({ request }) => {
      const headers = {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no", // proxies that buffer answers would hold events back
      };
      if (request.method === "HEAD") return new Response(null, { headers });
      if (open === MAX_EVENT_STREAMS) {
        const message = `Cannot open an event stream: ${open} are open, close one or read the session and its jobs`;
        const body = { message, type: "rate_limit_error", code: "too_many_event_streams" };
        throw new HttpError(429, body, { "retry-after": "15" });
      }
      open++;
      const lastEventId = request.headers.get("last-event-id");
      return new Response(eventStream(subject, { lastEventId, wait, ended, onClose: () => void open-- }), { headers });
    },
  }];
}
