/**
 * How far a large model is loaded, in words.
 *
 * @module
 */
import { showBytes, showSeconds } from "../../errors/show.ts";
import type { JobProgress } from "./job_record.ts";

/** Such as `3.2 GiB of 10.6 GiB, 40 s left`; undefined where a job is not loading one. */
export function showLoading(progress: JobProgress | undefined): string | undefined {
  const { bytesRead: read, bytesTotal: total, secondsLeft: left } = progress ?? {};
  if (read === undefined || total === undefined) return undefined;
  return `${showBytes(read)} of ${showBytes(total)}${left === undefined ? "" : `, ${showSeconds(left)} left`}`;
}
