/**
 * Following jobs to their end.
 *
 * @module
 */
import type { JobRecord } from "../protocol/job_record.ts";
import type { WorldClientOptions } from "./client_options.ts";
import { PollInterval } from "./poll_interval.ts";
import { WorldApiError } from "./world_api_error.ts";

/**
 * Yields the record of a job whenever it has changed, until the job has ended.
 *
 * @param read Fetches the current record.
 */
export async function* followJob(
  read: () => Promise<JobRecord>,
  wait: NonNullable<WorldClientOptions["wait"]>,
  signal: AbortSignal | undefined,
): AsyncGenerator<JobRecord, void, void> {
  const interval = new PollInterval();
  let seen = "";
  while (true) {
    const job = await read();
    const text = JSON.stringify(job);
    const changed = text !== seen;
    seen = text;
    if (changed) yield job;
    if (["completed", "cancelled", "failed"].includes(job.status)) return;
    await wait(interval.after(changed), signal);
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
