/**
 * The jobs of a session: the active one and the last that ended.
 *
 * @module
 */
import type { JobView } from "./job.ts";
import type { ChunkRecord, JobRecord } from "../../protocol/job_record.ts";
import { notFound } from "../../../errors/svc_error.ts";

/** Maximum number of ended jobs that are kept besides those that the session shows or may return to. */
export const MAX_ENDED_JOBS = 256;
/** Maximum number of ids remembered after their job was dropped, to distinguish expired from unknown. */
const MAX_EXPIRED_IDS = 16384;

/** Keeps jobs by id. */
export class JobRegistry {
  readonly #jobs = new Map<string, JobView & { cancel(): void }>();
  /** Records of jobs that have ended: a job's is always the same object. */
  readonly #records = new WeakMap<JobView, JobRecord>();
  readonly #expired = new Set<string>();

  /** Adds a job. */
  add(job: JobView & { cancel(): void }): void {
    this.#jobs.set(job.id, job);
  }

  /** Adds the jobs of an earlier process, which have ended. */
  restore(records: readonly JobRecord[]): void {
    for (const record of records) this.add(new EndedJob(record));
  }

  /**
   * The records of all jobs that have ended, the oldest first.
   *
   * @param ending The record that a job is about to get, as the last one.
   */
  ended(ending?: JobRecord): JobRecord[] {
    const jobs = [...this.#jobs.values()].filter((job) => !job.active && job.id !== ending?.jobId);
    const records = jobs.map((job) => {
      const record = this.#records.get(job) ?? job.record();
      this.#records.set(job, record);
      return record;
    });
    if (!ending) return records;
    const job = this.#jobs.get(ending.jobId);
    if (job) this.#records.set(job, ending);
    return [...records, ending];
  }

  /** A job has not ended as was written down. */
  endedOtherwise({ id }: JobView): void {
    const job = this.#jobs.get(id);
    if (job) this.#records.delete(job);
  }

  /**
   * Drops the oldest ended jobs beyond the last {@linkcode MAX_ENDED_JOBS}; to be called when one has ended.
   *
   * @param shown Ids of jobs whose terminal frame the session shows or may return to: they are kept regardless of age.
   */
  dropOldest(shown: ReadonlySet<string>): void {
    const ended = [...this.#jobs].filter(([, job]) => !job.active);
    const others = ended.filter(([id]) => !shown.has(id));
    for (const [id] of others.slice(0, Math.max(0, others.length - MAX_ENDED_JOBS))) {
      this.#jobs.delete(id);
      this.#expired.add(id);
    }
    for (const id of this.#expired) {
      if (this.#expired.size <= MAX_EXPIRED_IDS) break;
      this.#expired.delete(id);
    }
  }

  /**
   * The job with an id, in either case.
   *
   * @throws {SvcError} `job_expired` or `job_not_found`.
   */
  get(id: string): JobView & { cancel(): void } {
    const job = this.#jobs.get(id.toLowerCase());
    if (job) return job;
    if (this.#expired.has(id.toLowerCase())) {
      const message = `Cannot find job "${id}": only the last ${MAX_ENDED_JOBS} ended jobs are kept`;
      throw notFound("job_expired", message);
    }
    throw notFound("job_not_found", `Cannot find job "${id}": this session has none with this id`);
  }
}

/** A job of an earlier process, known by its record only. */
class EndedJob implements JobView {
  readonly active = false;
  readonly changes = 0;
  readonly #record: JobRecord;

  constructor(record: JobRecord) {
    this.#record = record;
  }

  get id(): string {
    return this.#record.jobId;
  }

  get kind(): JobRecord["kind"] {
    return this.#record.kind;
  }

  get chunks(): readonly ChunkRecord[] {
    return this.#record.chunks;
  }

  get outputPath(): string | undefined {
    return this.#receipt?.outputPath;
  }

  get framePath(): string | undefined {
    return this.#receipt?.terminalFramePath;
  }

  record(): JobRecord {
    return this.#record;
  }

  /** It has ended already. */
  cancel(): void {}

  get #receipt(): JobRecord["receipt"] | JobRecord["rolloutReceipt"] {
    return this.#record.receipt ?? this.#record.rolloutReceipt;
  }
}
