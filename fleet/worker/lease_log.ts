/**
 * What the log says of a worker's lease.
 *
 * @module
 */
import type { Log } from "../../lib/platform/processes/log.ts";
import { brokerTrouble } from "../nats/broker_trouble.ts";

/**
 * Says once why a lease is not renewed, and once that it is again.
 *
 * @returns what is called after every renewal, with the error of one that failed.
 */
export function leaseLog(log: Log): (error?: unknown) => void {
  let said: string | undefined;
  return (error) => {
    const reason = error === undefined ? undefined : brokerTrouble(error) ?? String(error);
    if (reason === said) return;
    said = reason;
    if (reason === undefined) log("info", "lease_renewed");
    else log("warn", "lease_not_renewed", { reason });
  };
}
