/**
 * System signals as an abort signal.
 *
 * @module
 */
import { shutdownSignal } from "./shutdown.ts";

/** Aborts on the first SIGINT or SIGTERM; a second one exits at once. */
export function abortOnShutdown(): AbortSignal {
  const controller = new AbortController();
  void shutdownSignal().then((name) => controller.abort(new Error(`Cannot continue: interrupted by ${name}`)));
  return controller.signal;
}
