/**
 * Ctrl+C that does not end the program.
 *
 * @module
 */
import process from "node:process";

/** Calls on every SIGINT, which then does not end the process; the function that this returns calls it off. */
export function onInterrupt(call: () => void): () => void {
  process.on("SIGINT", call);
  return () => void process.off("SIGINT", call);
}
