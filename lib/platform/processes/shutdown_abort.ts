/**
 * Signals of the system as an abort.
 *
 * @module
 */
import { shutdownSignal } from "./shutdown.ts";

/** Aborts with the first SIGINT or SIGTERM; a second one ends the process at once. */
export function abortOnShutdown(): AbortSignal {
  const controller = new AbortController();
  void shutdownSignal().then((name) => controller.abort(new Error(`Cannot go on: ${name} asked for the end`)));
  return controller.signal;
}
