/**
 * The clock of the system.
 *
 * @module
 */
import { clearTimeout, setTimeout } from "node:timers";

/** The time, and calls at a later one. */
export interface SystemClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after some milliseconds; the result cancels it. */
  after(milliseconds: number, call: () => void): () => void;
}

/** Real time; pending calls do not keep the process alive. */
export const systemClock: SystemClock = {
  now: () => Date.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
