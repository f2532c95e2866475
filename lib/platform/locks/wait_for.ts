/**
 * Delays.
 *
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits for a number of milliseconds.
 *
 * @throws an abort error when `signal` aborts first.
 */
export function waitFor(milliseconds: number, signal: AbortSignal): Promise<unknown> {
  return sleep(milliseconds, undefined, { signal });
}
