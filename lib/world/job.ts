/**
 * One job: its record as it grows, its files and its cancellation.
 *
 * @module
 */
import type { ChunkRecord, JobProgress, JobRecord, JobStatus, RolloutReceipt } from "./wire.ts";
import type { ErrorObject } from "./world_error.ts";

/** Progress events that a record keeps. */
export const MAX_PROGRESS_EVENTS = 256;

/** Time as it stands in records: ISO-8601, UTC, milliseconds. */
export type Clock = () => Date;

/** The reason of a job's signal when a client has cancelled it. */
export class JobCancelled extends Error {
  override name = "JobCancelled";
}

/** A job from its acceptance on. */
export class Job {
  readonly id: string;
  readonly #clock: Clock;
  readonly #createdAt: string;
  readonly #abort = new AbortController();
  #status: JobStatus = "queued";
  #startedAt: string | undefined;
  #completedAt: string | undefined;
  #events: JobProgress[] = [];
  #chunks: ChunkRecord[] = [];
  #receipt: RolloutReceipt | undefined;
  #error: ErrorObject | undefined;

  constructor(id: string, clock: Clock) {
    this.id = id;
    this.#clock = clock;
    this.#createdAt = this.#now();
  }

  /** Aborts when the job is cancelled; the reason is a {@linkcode JobCancelled}. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the job is queued, generating or cancelling. */
  get active(): boolean {
    return this.#completedAt === undefined;
  }

  get chunks(): readonly ChunkRecord[] {
    return this.#chunks;
  }

  get receipt(): RolloutReceipt | undefined {
    return this.#receipt;
  }

  /** Where a part of the job can be fetched. */
  mediaPath(part: string): string {
    return `/v1/world/jobs/${this.id}/media/${part}`;
  }

  start(): void {
    this.#startedAt = this.#now();
    if (this.#status === "queued") this.#status = "generating";
  }

  /** Adds a step of progress, unless it is the one told last; `done` is the fraction, 0 to 1. */
  progress(stage: string, step: number, total: number, done: number): void {
    const last = this.#events.at(-1);
    if (last?.stage === stage && last.step_index === step) return;
    this.#events.push({
      stage,
      step_index: step,
      total_steps: total,
      fraction: Math.round(done * 1e4) / 1e4,
      updated_at: this.#now(),
    });
    if (this.#events.length > MAX_PROGRESS_EVENTS) this.#events.shift();
  }

  addChunk(chunk: ChunkRecord): void {
    this.#chunks.push(chunk);
  }

  /** Asks the job to stop; one that has ended stays as it is. */
  cancel(): void {
    if (!this.active) return;
    this.#status = "cancelling";
    this.#abort.abort(new JobCancelled("Cannot finish the job: it was cancelled"));
  }

  complete(receipt: RolloutReceipt): void {
    this.#receipt = receipt;
    this.#end("completed");
  }

  /** Takes back the chunks, whose files are about to be removed. */
  dropChunks(): void {
    this.#chunks = [];
  }

  endCancelled(): void {
    this.#end("cancelled");
  }

  fail(error: ErrorObject): void {
    this.#error = error;
    this.#end("failed");
  }

  /** The record as it is now. */
  record(): JobRecord {
    const last = this.#events.at(-1);
    return {
      job_id: this.id,
      kind: "rollout",
      status: this.#status,
      created_at: this.#createdAt,
      ...(this.#startedAt && { started_at: this.#startedAt }),
      ...(this.#completedAt && { completed_at: this.#completedAt }),
      ...(last && { progress: last }),
      progress_events: [...this.#events],
      chunks: [...this.#chunks],
      ...(this.#receipt && { rollout_receipt: this.#receipt }),
      ...(this.#error && { error: this.#error }),
    };
  }

  #end(status: JobStatus): void {
    this.#status = status;
    this.#completedAt = this.#now();
  }

  #now(): string {
    return this.#clock().toISOString();
  }
}
