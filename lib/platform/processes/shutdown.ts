/**
 * How a process is asked to stop.
 *
 * @module
 */
import process from "node:process";

/**
 * Resolves on the first SIGINT, SIGTERM or SIGHUP, which a closed terminal sends; a second one exits at once, with the status that shells give to a process
 * killed by that signal.
 */
export function shutdownSignal(): Promise<"SIGINT" | "SIGTERM" | "SIGHUP"> {
  return new Promise((resolve) => {
    let asked = false;
    for (const [signal, number] of [["SIGINT", 2], ["SIGTERM", 15], ["SIGHUP", 1]] as const) {
      process.on(signal, () => {
        if (asked) process.exit(128 + number);
        asked = true;
        resolve(signal);
      });
    }
  });
}

/** Aborts on the first SIGINT or SIGTERM; a second one exits at once. */
export function abortOnShutdown(): AbortSignal {
  const controller = new AbortController();
  void shutdownSignal().then((name) => controller.abort(new Error(`Cannot continue: interrupted by ${name}`)));
  return controller.signal;
}

/** Calls back on every SIGINT, which then does not end the process; the returned function unsubscribes. */
export function onInterrupt(call: () => void): () => void {
  process.on("SIGINT", call);
  return () => void process.off("SIGINT", call);
}
