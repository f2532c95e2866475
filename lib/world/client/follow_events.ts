import type { WorldEvent } from "../protocol/wire.ts";
import type { EventsOptions, WorldClientOptions } from "./client_options.ts";
import { readServerSentEvents } from "./read_stream.ts";
import { WorldApiError } from "./world_api_error.ts";
import type { WorldTransport } from "./world_transport.ts";

/** Delay before the first attempt after a loss, and the longest delay, in milliseconds. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;

/**
 * Yields the events of a server until the caller stops. A broken connection is reopened with growing delays and resumes
 * after the last event.
 *
 * @throws {WorldApiError} when the first attempt fails, and when the server refuses; the signal's reason when aborted
 */
export async function* followEvents(
  transport: WorldTransport,
  wait: NonNullable<WorldClientOptions["wait"]>,
  { signal, onOpen, onLost }: EventsOptions,
): AsyncGenerator<WorldEvent, void, void> {
  const request = signal === undefined ? {} : { signal };
  let lastId: string | undefined;
  let attempts = 0;
  let opened = false;
  while (true) {
    try {
      const headers = { accept: "text/event-stream", ...(lastId !== undefined && { "last-event-id": lastId }) };
      const body = eventBody(await transport.send("/v1/world/events", { ...request, headers }));
      opened = true;
      onOpen?.();
      for await (const { id, event, data } of readServerSentEvents(body, signal)) {
        attempts = 0;
        lastId = id;
        yield { id, event, data: JSON.parse(data) } as WorldEvent;
      }
      throw transport.unreachable(new Error("the stream has ended"), request);
    } catch (error) {
      signal?.throwIfAborted();
      const lost = error instanceof WorldApiError ? error : transport.unreachable(error, request);
      const refused = lost.status > 0 && lost.status < 500;
      if (!opened || refused) throw lost;
      onLost?.(lost);
    }
    await wait(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempts++), signal);
  }
}

function eventBody({ status, headers, body }: Response): ReadableStream<Uint8Array> {
  if (body !== null && headers.get("content-type")?.startsWith("text/event-stream")) return body;
  throw new WorldApiError("Cannot read the events: the answer is not an event stream, expected a world server", {
    status,
    code: "unexpected_response",
  });
}
