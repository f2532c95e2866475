import { setTimeout } from "node:timers";
import type { ClusterClock } from "../../../lib/cluster/protocol/engine.ts";

/** The time of this machine. */
export function realClock(): ClusterClock {
  return {
    now: () => Date.now(),
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const end = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        signal?.addEventListener("abort", end, { once: true });
      }),
  };
}
