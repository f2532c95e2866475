/**
 * The clock of the system.
 *
 * @module
 */
import { clearTimeout, setTimeout } from "node:timers";
import type { Clock } from "../../api/scheduler/mod.ts";

/** Real time; pending calls do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
