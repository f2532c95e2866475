/**
 * How a process is asked to stop, and how it exits.
 *
 * @module
 */
import process from "node:process";
import { endNativeWorkers, hasNativeWorkers } from "../workers/spawn_worker.ts";

/**
 * Exits when the workers of this process have exited: one that is in a native call would abort it. A process whose
 * worker stays in such a call is killed, without that abort.
 */
export async function exitProcess(status?: number): Promise<never> {
  if (!await endNativeWorkers()) process.kill(process.pid, "SIGKILL");
  process.exit(status);
}

/**
 * Resolves on the first SIGINT, SIGTERM or SIGHUP, which a closed terminal sends; a second one exits at once, with the
 * status that shells give to a process killed by that signal.
 */
export function shutdownSignal(): Promise<"SIGINT" | "SIGTERM" | "SIGHUP"> {
  return new Promise((resolve) => {
    let asked = false;
    for (const [signal, number] of [["SIGINT", 2], ["SIGTERM", 15], ["SIGHUP", 1]] as const) {
      process.on(signal, () => {
        if (asked) exitAtOnce(signal, number);
        asked = true;
        resolve(signal);
      });
    }
  });
}

/** Does not wait for workers: where they could abort the process, the signal itself ends it. */
function exitAtOnce(signal: NodeJS.Signals, number: number): void {
  if (!hasNativeWorkers()) process.exit(128 + number);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
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
