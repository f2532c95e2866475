/**
 * The time of a fleet's roles.
 *
 * @module
 */
import type { ClusterClock } from "../protocol/broker.ts";

/** The time of this machine: milliseconds since 1970 at the start, and from then on without leaps. */
export function fleetClock(): ClusterClock {
  return {
    now: () => performance.timeOrigin + performance.now(),
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
