/**
 * What the log says of a worker's lease.
 *
 * @module
 */
import { hasNoRoom } from "../../cluster/nats/engine_room.ts";
import type { Log } from "../../platform/processes/log.ts";

/** What is to be done about an engine that is full. */
const NO_ROOM = "the NATS server has no room left: free space on its disk, or raise its max_file_store";

/**
 * Says once why a lease is not renewed, and once that it is again.
 *
 * @returns what is called after every renewal, with the error of one that failed.
 */
export function leaseLog(log: Log): (error?: unknown) => void {
  let said: string | undefined;
  return (error) => {
    const reason = error === undefined ? undefined : hasNoRoom(error) ? NO_ROOM : String(error);
    if (reason === said) return;
    said = reason;
    if (reason === undefined) log("info", "lease_renewed");
    else log("warn", "lease_not_renewed", { reason });
  };
}
