/**
 * Ctrl+C without exiting.
 *
 * @module
 */
import process from "node:process";

/** Calls back on every SIGINT, which then does not end the process; the returned function unsubscribes. */
export function onInterrupt(call: () => void): () => void {
  process.on("SIGINT", call);
  return () => void process.off("SIGINT", call);
}
