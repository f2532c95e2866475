import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { JobRecord } from "../../lib/world/protocol/job_record.ts";

/** Options of {@linkcode runWalkJob}. */
export interface WalkJobOptions {
  /** Cancels the walk on the server. */
  readonly signal: AbortSignal;
  readonly onProgress: (job: JobRecord) => void;
}

/**
 * Starts a job and follows it to its completion. When the signal aborts, the job is cancelled and its end awaited, so
 * that the server's session is rolled back; then the signal's reason is thrown.
 *
 * @param start The request itself is not aborted: a job whose id is unknown could not be cancelled.
 */
export async function runWalkJob(
  client: WorldClient,
  start: () => Promise<JobRecord>,
  options: WalkJobOptions,
): Promise<JobRecord> {
  options.signal.throwIfAborted();
  const { job_id: id } = await start();
  try {
    return await client.awaitJob(id, options);
  } catch (error) {
    if (!options.signal.aborted) throw error;
    await client.cancel(id).then(() => client.awaitJob(id)).catch(() => {}); // ends with job_cancelled, as requested
    throw options.signal.reason;
  }
}
