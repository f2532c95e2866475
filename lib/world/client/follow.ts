/**
 * Follows what happens on a server: a job to its end, by polls, and everything of a session, by its events.
 *
 * @module
 */
import type { JobRecord } from "../protocol/job_record.ts";
import type { EventsOptions, WorldClientOptions } from "./client_options.ts";
import { WorldApiError } from "./world_api_error.ts";
import type { WorldEvent } from "../protocol/wire.ts";
import { fromWire } from "../../json/wire_form.ts";
import { readServerSentEvents } from "./read_stream.ts";
import type { WorldTransport } from "./world_transport.ts";

const SHORTEST = 10;
const LONGEST = 250;
/** A change is noticed late by about a tenth of the time since the last one. */
const GROWTH = 1.2;

/**
 * The delay between two polls of a job, in milliseconds: short after every change, so that the chunks of a fast world
 * arrive without delay, and growing to a quarter of a second while nothing changes, to spare slow ones.
 */
export class PollInterval {
  #next = SHORTEST;

  /** The delay before the next poll, given whether the last one showed a change. */
  after(changed: boolean): number {
    const wait = changed ? SHORTEST : this.#next;
    this.#next = Math.min(LONGEST, wait * GROWTH);
    return wait;
  }
}

/** For how many seconds a server may hold a request for a job that has not changed. */
const HELD = 10;

/**
 * Yields the record of a job whenever it has changed, until the job has ended. A server that tags its records answers
 * when the job has changed (`Prefer: wait`); others are asked again and again.
 */
export async function* followJob(
  transport: WorldTransport,
  path: string,
  wait: NonNullable<WorldClientOptions["wait"]>,
  signal: AbortSignal | undefined,
): AsyncGenerator<JobRecord, void, void> {
  const interval = new PollInterval();
  const request = signal === undefined ? {} : { signal };
  let seen = "";
  let tag: string | undefined;
  while (true) {
    const headers = tag === undefined ? {} : { "if-none-match": tag, prefer: `wait=${HELD}` };
    const asked = performance.now();
    const { value: job, etag } = await transport.tagged<JobRecord>(path, { ...request, headers });
    const text = job === undefined ? seen : JSON.stringify(job);
    const changed = text !== seen;
    seen = text;
    if (job !== undefined && changed) yield job;
    if (job !== undefined && ["completed", "cancelled", "failed"].includes(job.status)) return;
    // Held for a while, or changed since then: the next change is asked for at once.
    if (etag !== undefined && (changed || performance.now() - asked > 1000)) tag = etag;
    else await wait(interval.after(changed), signal);
  }
}

/**
 * The record of a completed job.
 *
 * @throws {WorldApiError} the job's own error when it failed, `job_cancelled` when it was cancelled
 */
export function completed(job: JobRecord): JobRecord {
  if (job.status === "completed") return job;
  if (job.status === "cancelled") {
    throw new WorldApiError(`Cannot finish the ${job.kind}: the job was cancelled, start another one`, {
      status: 200,
      code: "job_cancelled",
    });
  }
  const { message, code, ...rest } = job.error ?? {
    message: `Cannot finish the ${job.kind}: the job failed without a reason`,
    code: "unexpected_response",
  };
  throw new WorldApiError(message, { status: 200, code, ...rest });
}

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
        yield { id, event, data: fromWire(JSON.parse(data)) } as WorldEvent;
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
