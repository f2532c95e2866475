/**
 * Changes of entries whose answers may be lost.
 *
 * @module
 */
import { BrokerRefusal, type Bucket, type ClusterClock, type Entry } from "./broker.ts";

/** Milliseconds between two attempts. */
export const RETRY = 200;

/** Repeats what does not change anything until the broker answers, or `signal` aborts: then with the last error. */
export async function insist<T>(clock: ClusterClock, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof BrokerRefusal || signal?.aborted) throw error;
      await clock.wait(RETRY, signal);
    }
  }
}

/**
 * Writes the successor of an entry, repeated until it is known whether it was written.
 *
 * @param isOurs Tells the written value from what others write.
 * @returns the new entry; undefined when another one has changed it before.
 */
export async function compareAndSet<T>(
  { bucket, clock, signal }: { bucket: Bucket<T>; clock: ClusterClock; signal?: AbortSignal | undefined },
  key: string,
  before: Entry<T>,
  value: T,
  isOurs: (found: T) => boolean,
): Promise<Entry<T> | undefined> {
  while (true) {
    try {
      return { value, revision: await bucket.update(key, value, before.revision) };
    } catch (error) {
      if (signal?.aborted) throw error;
      if (!(error instanceof BrokerRefusal)) await clock.wait(RETRY, signal);
    }
    const found = await insist(clock, () => bucket.get(key), signal);
    if (found && found.revision !== before.revision) return isOurs(found.value) ? found : undefined;
    if (!found) return undefined;
  }
}
