/**
 * Reports to Agones what a worker does.
 *
 * @module
 */
import type { ClusterClock } from "../protocol/broker.ts";
import type { Log } from "../../lib/platform/processes/log.ts";

/** Milliseconds after which a worker that has not reported a change is checked again. */
const LOOK = 1000;

/** Milliseconds that the SDK server, which is in the same pod, may take. */
const ANSWER = 5000;

/** What the reports are about. */
export interface AgonesSdkOptions {
  /** Port of the SDK server in this pod (`AGONES_SDK_HTTP_PORT`). */
  readonly port: number;
  readonly clock: ClusterClock;
  /** Whether the worker has worlds or rollouts: then Agones neither scales it down nor replaces it by an update. */
  readonly isBusy: () => boolean;
  readonly log: Log;
}

/**
 * The reports of a worker to Agones: Ready while it has nothing to do, Allocated while it has, Shutdown at its end.
 * They go over the REST interface of Agones' client SDKs
 * (https://agones.dev/site/docs/guides/client-sdks/rest). Kubernetes' own probes see to its health.
 */
export class AgonesSdk {
  readonly #options: AgonesSdkOptions;
  #changed: AbortController = new AbortController();
  #told: "ready" | "allocate" | undefined;
  #fails = false;

  constructor(options: AgonesSdkOptions) {
    this.#options = options;
  }

  /** Reports every change until `signal` aborts; a report that fails is repeated. */
  async keep(signal: AbortSignal): Promise<void> {
    const { clock, isBusy } = this.#options;
    while (!signal.aborted) {
      const changed = new AbortController();
      this.#changed = changed;
      const state = isBusy() ? "allocate" : "ready";
      if (state !== this.#told && await this.#report(state)) this.#told = state;
      await clock.wait(LOOK, AbortSignal.any([signal, changed.signal]));
    }
  }

  /** The worker has got work or ended it: reports it at once. */
  changed(): void {
    this.#changed.abort();
  }

  /** The worker has ended: Agones removes its pod. */
  async shutdown(): Promise<void> {
    await this.#report("shutdown");
  }

  /** Whether Agones has taken it. */
  async #report(state: "ready" | "allocate" | "shutdown"): Promise<boolean> {
    const { port, log } = this.#options;
    try {
      const response = await fetch(`http://127.0.0.1:${port}/${state}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
        signal: AbortSignal.timeout(ANSWER),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`Agones answered ${response.status} to /${state}`);
      this.#fails = false;
      return true;
    } catch (error) {
      if (!this.#fails) log("warn", "agones_report_failed", { state, error });
      this.#fails = true;
      return false;
    }
  }
}
