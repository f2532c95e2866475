/**
 * One job: its record, its files and its cancellation.
 *
 * @module
 */
import type { MoveKind } from "../../protocol/requests/move_fields.ts";
import type {
  ChunkRecord,
  JobProgress,
  JobRecord,
  RolloutReceipt,
  TransitionReceipt,
} from "../../protocol/job_record.ts";
import type { ErrorObject } from "../../../errors/svc_error.ts";
import type { LoadedBytes } from "../../../models/checkpoint/load_meter.ts";

/** Maximum number of progress events in a record. */
export const MAX_PROGRESS_EVENTS = 256;

/** Steps of loading a large model, of which a job shows every one. */
const LOAD_STEPS = 100;

/** A time as records show it: ISO-8601, UTC, milliseconds. */
export type WallClock = () => Date;

/** The receipt of a completed job, by the kind of the job. */
export type JobReceipt = TransitionReceipt | RolloutReceipt;

/** What changed about a job. */
export type JobChange = { readonly event: "job" } | { readonly event: "chunk"; readonly blockIndex: number };

/** A chunk whose file is complete. */
export interface NewChunk {
  /** Its number within the job, from 0. */
  readonly block: number;
  /** Blocks of the job. */
  readonly blocks: number;
  /** Number of its first frame within the job. */
  readonly firstFrame: number;
  readonly frames: number;
  readonly codec: string;
  readonly path: string;
}

/** Options of a {@linkcode Job}. */
export interface JobOptions {
  readonly id: string;
  readonly kind: MoveKind;
  readonly clock: WallClock;
  /** Called after every change. */
  readonly onChange?: (change: JobChange) => void;
}

/** The reason of a job's signal when a client cancelled it. */
export class JobCancelled extends Error {
  override name = "JobCancelled";
}

/** A job as hosts see it. */
export interface JobView {
  /** Id of the job. */
  readonly id: string;
  /** Kind of the move. */
  readonly kind: "transition" | "rollout";
  /** Whether the job is queued, generating or cancelling. */
  readonly active: boolean;
  /** How often its record has changed since it was accepted. */
  readonly changes: number;
  /** The chunks whose files are complete, in order. */
  readonly chunks: readonly ChunkRecord[];
  /** Path of the video; undefined until the job is completed. */
  readonly outputPath: string | undefined;
  /** Path of the last frame; undefined until the job is completed. */
  readonly framePath: string | undefined;
  /** The job as it goes over the wire. */
  record(): JobRecord;
}

/** A job from its acceptance on. */
export class Job implements JobView {
  /** Its id. */
  readonly id: string;
  /** What kind it is. */
  readonly kind: MoveKind;
  readonly #clock: WallClock;
  readonly #onChange: (change: JobChange) => void;
  readonly #createdAt: string;
  readonly #abort = new AbortController();
  #status: JobRecord["status"] = "queued";
  #startedAt: string | undefined;
  #completedAt: string | undefined;
  /** When its end was written down. */
  #ending: string | undefined;
  #events: JobProgress[] = [];
  #chunks: ChunkRecord[] = [];
  #receipt: JobReceipt | undefined;
  #error: ErrorObject | undefined;
  #changes = 0;

  constructor({ id, kind, clock, onChange = () => {} }: JobOptions) {
    this.id = id;
    this.kind = kind;
    this.#clock = clock;
    this.#onChange = onChange;
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

  /** How often its record has changed. */
  get changes(): number {
    return this.#changes;
  }

  /** The chunks, in order. */
  get chunks(): readonly ChunkRecord[] {
    return this.#chunks;
  }

  /** Path of the video; undefined until the job is completed. */
  get outputPath(): string | undefined {
    return this.#receipt?.outputPath;
  }

  /** Path of the last frame; undefined until the job is completed. */
  get framePath(): string | undefined {
    return this.#receipt?.terminalFramePath;
  }

  /** The URL path of a part of the job. */
  mediaPath(part: string): string {
    return `/v1/world/jobs/${this.id}/media/${part}`;
  }

  start(): void {
    this.#startedAt = this.#now();
    if (this.#status === "queued") this.#status = "generating";
    this.#changed({ event: "job" });
  }

  /** Adds a step of progress unless it repeats the last one; `done` is the fraction, 0 to 1. */
  progress(stage: string, step: number, total: number, done: number): void {
    this.#step({ stage, stepIndex: step, totalSteps: total, fraction: Math.round(done * 1e4) / 1e4 });
  }

  /** The same for what is read of a large model, at its start or where it is first needed. */
  loading({ done, total, secondsLeft }: LoadedBytes): void {
    this.#step({
      stage: "preparing",
      stepIndex: Math.floor(LOAD_STEPS * done / total),
      totalSteps: LOAD_STEPS,
      fraction: this.#events.at(-1)?.fraction ?? 0,
      ...{ bytesRead: done, bytesTotal: total },
      ...secondsLeft !== undefined && { secondsLeft: Math.ceil(secondsLeft) },
    });
  }

  #step(step: Omit<JobProgress, "updatedAt">): void {
    const last = this.#events.at(-1);
    if (last?.stage === step.stage && last.stepIndex === step.stepIndex) return;
    this.#events.push({ ...step, updatedAt: this.#now() });
    if (this.#events.length > MAX_PROGRESS_EVENTS) this.#events.shift();
    this.#changed({ event: "job" });
  }

  addChunk({ block, blocks, firstFrame, frames, codec, path }: NewChunk): void {
    this.#chunks.push({
      blockIndex: block,
      blockCount: blocks,
      pixelFrameStart: firstFrame,
      pixelFrameCount: frames,
      pixelFrameRange: [firstFrame, firstFrame + frames],
      codec,
      mediaPath: this.mediaPath(`chunks/${block}`),
      path,
    });
    this.#changed({ event: "chunk", blockIndex: block });
  }

  /** Cancels the job; one that has ended stays as it is. */
  cancel(): void {
    if (!this.active) return;
    this.#status = "cancelling";
    this.#abort.abort(new JobCancelled("Cannot finish the job: it was cancelled"));
    this.#changed({ event: "job" });
  }

  /** The record that {@linkcode complete} is going to give it, at the time of this call. */
  completing(receipt: JobReceipt): JobRecord {
    this.#ending = this.#now();
    return { ...this.record(), status: "completed", completedAt: this.#ending, ...receiptField(receipt) };
  }

  complete(receipt: JobReceipt): void {
    this.#receipt = receipt;
    this.#end("completed");
  }

  /** Withdraws the chunks, whose files are about to be removed. */
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

  /** The current record. */
  record(): JobRecord {
    const last = this.#events.at(-1);
    return {
      jobId: this.id,
      kind: this.kind,
      status: this.#status,
      createdAt: this.#createdAt,
      ...(this.#startedAt && { startedAt: this.#startedAt }),
      ...(this.#completedAt && { completedAt: this.#completedAt }),
      ...(last && { progress: last }),
      progressEvents: [...this.#events],
      chunks: [...this.#chunks],
      ...receiptField(this.#receipt),
      ...(this.#error && { error: this.#error }),
    };
  }

  #end(status: JobRecord["status"]): void {
    this.#status = status;
    this.#completedAt = status === "completed" && this.#ending !== undefined ? this.#ending : this.#now();
    this.#changed({ event: "job" });
  }

  #changed(change: JobChange): void {
    this.#changes++;
    this.#onChange(change);
  }

  #now(): string {
    return this.#clock().toISOString();
  }
}

function receiptField(receipt: JobReceipt | undefined): Pick<JobRecord, "receipt" | "rolloutReceipt"> {
  if (!receipt) return {};
  return "camera" in receipt ? { receipt } : { rolloutReceipt: receipt };
}
