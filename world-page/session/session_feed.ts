/**
 * Updates of the session, and the turns of everything that changes it.
 *
 * @module
 */
import { WorldApiError } from "../../lib/world/client/world_api_error.ts";
import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { ChunkRecord, JobRecord } from "../../lib/world/protocol/job_record.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";

/** How the page receives updates: pushed, polled, not at the moment, or never again. */
export type Connection = "open" | "polling" | "lost" | "ended";

/** Callbacks for updates. */
interface SessionListener {
  readonly snapshot: (snapshot: WorldSnapshot) => void;
  readonly job: (job: JobRecord) => void;
  readonly chunk: (jobId: string, chunk: ChunkRecord) => void;
  readonly connection: (connection: Connection) => void;
  /** The server no longer accepts the key. */
  readonly refused: () => void;
}

const POLL_ACTIVE = 150;
const POLL_IDLE = 1000;
const KEPT_JOBS = 16;

/** Follows a session by its events, or by polling where a server or proxy does not let them through. */
export class SessionFeed {
  readonly #client: WorldClient;
  readonly #listener: SessionListener;
  readonly #jobs = new Map<string, JobRecord>();
  readonly #chunks = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #snapshot: WorldSnapshot;

  constructor(client: WorldClient, snapshot: WorldSnapshot, listener: SessionListener) {
    this.#client = client;
    this.#snapshot = snapshot;
    this.#listener = listener;
  }

  /** The last known snapshot. */
  get snapshot(): WorldSnapshot {
    return this.#snapshot;
  }

  /** Follows the session for as long as the page lives. */
  async start(): Promise<void> {
    this.take(this.#snapshot);
    try {
      const { connection } = this.#listener;
      const onOpen = (): void => {
        connection("open");
        void this.#askForOpenJobs();
      };
      for await (const event of this.#client.events({ onOpen, onLost: () => connection("lost") })) {
        if (event.event === "snapshot") this.take(event.data);
        else if (event.event === "job") this.takeJob(event.data);
        else this.#takeChunk(event.data.jobId, event.data);
      }
    } catch (error) {
      if (isRefusal(error)) return this.#listener.refused();
      await this.#poll();
    }
  }

  /** Takes a snapshot from an answer. */
  take(snapshot: WorldSnapshot): void {
    this.#snapshot = snapshot;
    if (snapshot.activeJob) this.takeJob(snapshot.activeJob);
    this.#listener.snapshot(snapshot);
    this.#wake();
  }

  /** Takes the record of a job; an ended one does not change any more. */
  takeJob(job: JobRecord): void {
    const known = this.#jobs.get(job.jobId);
    if (known && hasEnded(known)) return;
    this.#jobs.set(job.jobId, job);
    for (const id of [...this.#jobs.keys()].slice(0, -KEPT_JOBS)) this.#jobs.delete(id);
    for (const chunk of job.chunks) this.#takeChunk(job.jobId, chunk);
    this.#listener.job(job);
    this.#wake();
  }

  /** Resolves with the record of a job when it has ended. */
  async ended(id: string): Promise<JobRecord> {
    while (true) {
      const job = this.#jobs.get(id);
      if (job && hasEnded(job)) return job;
      await this.#change();
    }
  }

  /** Resolves when the session is idle. */
  async idle(): Promise<void> {
    while (this.#snapshot.activeJob || this.#snapshot.phase === "preparing" || this.#openJobs().length > 0) {
      await this.#change();
    }
  }

  /** Fetches the current session. */
  async refresh(): Promise<void> {
    this.take(await this.#client.session());
  }

  #takeChunk(jobId: string, chunk: ChunkRecord): void {
    const key = `${jobId}/${chunk.blockIndex}`;
    if (this.#chunks.has(key)) return;
    this.#chunks.add(key);
    this.#listener.chunk(jobId, chunk);
  }

  #openJobs(): JobRecord[] {
    return [...this.#jobs.values()].filter((job) => !hasEnded(job));
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** A restarted server does not report the jobs of the old one. */
  async #askForOpenJobs(): Promise<void> {
    for (const job of this.#openJobs()) {
      try {
        this.takeJob(await this.#client.job(job.jobId));
      } catch (error) {
        if (!(error instanceof WorldApiError) || error.status === 0) continue;
        this.takeJob({ ...job, status: "failed", error: { message: error.message, type: "", code: error.code } });
      }
    }
  }

  async #poll(): Promise<never> {
    while (true) {
      try {
        await this.refresh();
        await this.#askForOpenJobs();
        this.#listener.connection("polling");
      } catch (error) {
        if (isRefusal(error)) this.#listener.refused();
        this.#listener.connection("lost");
      }
      const wait = this.#snapshot.activeJob ? POLL_ACTIVE : POLL_IDLE;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

function hasEnded({ status }: JobRecord): boolean {
  return status === "completed" || status === "cancelled" || status === "failed";
}

function isRefusal(error: unknown): boolean {
  return error instanceof WorldApiError && error.status === 401;
}

const RETRIES = 20;
const RETRY_WAIT = 100;

/** Serializes everything that changes the session, so that the server does not refuse it as busy. */
export class Turns {
  readonly #feed: SessionFeed;
  #last: Promise<unknown> = Promise.resolve();

  constructor(feed: SessionFeed) {
    this.#feed = feed;
  }

  /** Runs an action once all earlier ones are done and no job runs. */
  async take<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#whenIdle(action));
    this.#last = done.catch(() => {});
    return await done;
  }

  async #whenIdle<T>(action: () => Promise<T>): Promise<T> {
    for (let attempt = 1;; attempt++) {
      await this.#feed.idle();
      try {
        return await action();
      } catch (error) {
        // Another client was faster.
        if (!(error instanceof WorldApiError) || error.code !== "session_busy" || attempt === RETRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_WAIT));
        await this.#feed.refresh();
      }
    }
  }
}
