/**
 * Disk errors with a code and a remedy.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";
import { DISK_FULL, diskReason } from "./disk_reason.ts";

/**
 * What to throw in place of a disk error: `disk_full` or `write_failed`, with what could not be done. Errors of another
 * kind stay as they are.
 *
 * @param failed `Cannot <verb> <thing>`
 * @param more What else to say when the disk is full.
 */
export function diskError(error: unknown, failed: string, more = ""): unknown {
  const reason = diskReason(error);
  if (reason === undefined) return error;
  const [code, end] = reason === DISK_FULL ? ["disk_full", more] as const : ["write_failed", ""] as const;
  return new SvcError(code, `${failed}: ${reason}${end}`, { cause: error });
}
