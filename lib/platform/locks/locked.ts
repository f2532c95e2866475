/**
 * Work that only one process does at a time.
 *
 * @module
 */
import { FolderLockedError } from "../../errors/option_error.ts";
import { lockFolder } from "./lock_file.ts";
import { type Processes, thisMachine } from "../processes/processes.ts";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds between two attempts at the lock, which is only held briefly. */
const LOCK_INTERVAL = 5;

/** Dependencies of the lock; replaced by tests. */
interface LockOptions {
  readonly processes?: Processes;
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/** Calls of this process for a folder are serialized: a lock file excludes processes, not calls. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Runs `work` while no other process does for the same folder; the lock of a dead process is taken over.
 *
 * @throws the reason of `signal` when it aborts before the work begins.
 */
export function locked<T>(
  folder: string,
  { processes = thisMachine, wait = waitFor }: LockOptions,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const result = (turns.get(folder) ?? Promise.resolve()).then(async () => {
    for (;;) {
      signal.throwIfAborted();
      const lock = await lockFolder(folder, { processes, wait: (milliseconds) => wait(milliseconds, signal) }).catch(
        (error) => {
          if (error instanceof FolderLockedError) return undefined;
          throw error;
        },
      );
      if (!lock) {
        await wait(LOCK_INTERVAL, signal);
        continue;
      }
      try {
        return await work();
      } finally {
        await lock.release();
      }
    }
  });
  const forget = () => {
    if (turns.get(folder) === turn) turns.delete(folder);
  };
  const turn: Promise<void> = result.then(forget, forget);
  turns.set(folder, turn);
  return result;
}

/**
 * Waits for a number of milliseconds.
 *
 * @throws an abort error when `signal` aborts first.
 */
export function waitFor(milliseconds: number, signal: AbortSignal): Promise<unknown> {
  return sleep(milliseconds, undefined, { signal });
}
