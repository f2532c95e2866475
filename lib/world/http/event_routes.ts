/**
 * Server-sent events of sessions: their route, and the stream of one client.
 *
 * @module
 */
import type { Route, RouteCall } from "../../http/router.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { Notice, SessionEvents } from "../session/session_events.ts";
import type { ChunkRecord, JobRecord } from "../protocol/job_record.ts";
import { toWire } from "../../json/wire_form.ts";
import type { WorldEvent, WorldSnapshot } from "../protocol/wire.ts";

/** Event streams that may be open at a time: each holds a connection. */
export const MAX_EVENT_STREAMS = 64;

/** Options of {@linkcode eventRoutes}. */
interface EventRoutesOptions {
  /** Waits between keepalives, in milliseconds; rejects when the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Finds what events are of: a session, until it has ended. */
type FindSubject = (call: RouteCall) => { readonly session: EventSubject; readonly ended: AbortSignal };

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

/** The session that events describe. */
interface EventSubject {
  readonly events: SessionEvents;
  snapshot(): WorldSnapshot;
  /** Throws when there is no such job any more. */
  job(id: string): { readonly chunks: readonly ChunkRecord[]; record(): JobRecord };
}

/** Options of {@linkcode EventStream}. */
interface EventStreamOptions {
  /** Id of the last event that the client received; the stream resumes there if possible. */
  readonly lastEventId: string | null;
  /** Waits, in milliseconds; rejects when the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Called once, when the stream has ended or the client has disconnected. */
  readonly onClose: () => void;
}

/** Keepalive interval in milliseconds: proxies and clients drop connections that are silent for longer. */
const KEEPALIVE = 15_000;

/**
 * The events for one client. They are created when the client is ready to read, from the state at that moment: a slow
 * client causes no queue, and gets one event of a job where a fast one gets many. A stream that does not resume starts
 * with a snapshot.
 */
class EventStream {
  /** The events as bytes. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #subject: EventSubject;
  readonly #wait: EventStreamOptions["wait"];
  #lastSent: number | undefined;
  #ended = false;
  #left = false;
  #pause = new AbortController();

  constructor(subject: EventSubject, { lastEventId, wait, onClose }: EventStreamOptions) {
    this.#subject = subject;
    this.#wait = wait;
    this.#lastSent = resumeAt(subject.events, lastEventId);
    const unsubscribe = subject.events.subscribe(() => this.#pause.abort());
    const release = (): void => {
      unsubscribe();
      onClose();
    };
    const encoder = new TextEncoder();
    this.body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: async (controller) => {
        const text = await this.#next();
        if (this.#left) return;
        if (text !== undefined) return controller.enqueue(encoder.encode(text));
        release();
        controller.close();
      },
      cancel: () => {
        this.#left = true;
        release();
        this.end();
      },
    }, { highWaterMark: 0 });
  }

  /** Ends the stream once all earlier changes have been sent. */
  end(): void {
    this.#ended = true;
    this.#pause.abort();
  }

  /** The next event of the client; undefined at the end. */
  async #next(): Promise<string | undefined> {
    while (true) {
      this.#pause = new AbortController();
      const news = this.#news().map(format).join("");
      if (news !== "") return news;
      if (this.#ended) return undefined;
      const silent = await this.#wait(KEEPALIVE, this.#pause.signal).then(() => true, () => false);
      if (silent) return ": keepalive\n\n";
    }
  }

  #news(): readonly WorldEvent[] {
    const { events } = this.#subject;
    const notices = this.#lastSent === undefined ? undefined : events.after(this.#lastSent);
    this.#lastSent = events.last;
    if (notices !== undefined) return newest(notices).flatMap((notice) => asEvent(this.#subject, notice));
    return [{ event: "snapshot", id: `${events.epoch}.${events.last}`, data: this.#subject.snapshot() }];
  }
}

/** The number after which a stream resumes; undefined when it must start with a snapshot. */
function resumeAt(events: SessionEvents, lastEventId: string | null): number | undefined {
  const match = /^(.+)\.(\d{1,15})$/.exec(lastEventId ?? "");
  if (match?.[1] !== events.epoch || Number(match[2]) > events.last) return undefined;
  return Number(match[2]);
}

/** Drops notices that a later one supersedes: only the last of the session and the last of each job matter. */
function newest(notices: readonly Notice[]): readonly Notice[] {
  const key = (notice: Notice): string => notice.event === "job" ? notice.jobId : notice.event;
  const last = new Map(notices.map((notice) => [key(notice), notice.number]));
  return notices.filter((notice) => notice.event === "chunk" || last.get(key(notice)) === notice.number);
}

/** The current value that a notice refers to; undefined when it no longer exists. */
function asEvent(subject: EventSubject, notice: Notice): WorldEvent[] {
  const id = `${subject.events.epoch}.${notice.number}`;
  if (notice.event === "snapshot") return [{ event: "snapshot", id, data: subject.snapshot() }];
  let job: ReturnType<EventSubject["job"]>;
  try {
    job = subject.job(notice.jobId);
  } catch {
    return [];
  }
  if (notice.event === "job") return [{ event: "job", id, data: job.record() }];
  const chunk = job.chunks.find((c) => c.blockIndex === notice.blockIndex);
  return chunk ? [{ event: "chunk", id, data: { jobId: notice.jobId, ...chunk } }] : [];
}

function format({ id, event, data }: WorldEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(toWire(data))}\n\n`;
}
