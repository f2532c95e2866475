/**
 * Changes of entries whose answers may be lost, and work on tickets that may be handed to others.
 *
 * @module
 */
import { BrokerRefusal, type Bucket, type ClusterClock, type Entry, type TakenTicket } from "./broker.ts";

/** Milliseconds between two attempts. */
export const RETRY = 200;

/** Milliseconds after which a ticket whose work has thrown is delivered again. */
const AFTER_ERROR = 1000;

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
 * @param isOurs Distinguishes the written value from what others write.
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

/** The outcome of a ticket: `lost` belongs to another worker; a number delays its next delivery, in milliseconds. */
export type TicketOutcome = "done" | "lost" | number;

/**
 * Works on a ticket and extends it meanwhile, every third of `ackWait`, so that no other worker gets it; then
 * acknowledges it. After an error it is delivered again.
 */
export async function holdTicket(
  taken: TakenTicket,
  { clock, ackWait, onError }: {
    readonly clock: ClusterClock;
    readonly ackWait: number;
    readonly onError: (error: unknown) => void;
  },
  work: () => Promise<TicketOutcome>,
): Promise<void> {
  const done = new AbortController();
  const beat = async (): Promise<void> => {
    while (!done.signal.aborted) {
      await clock.wait(ackWait / 3, done.signal);
      if (!done.signal.aborted) await taken.working().catch(() => {});
    }
  };
  const beating = beat();
  const outcome = await work().catch((error) => {
    onError(error);
    return AFTER_ERROR;
  }).finally(async () => {
    done.abort();
    await beating;
  });
  if (outcome === "done") await taken.ack().catch(() => {}); // if this is lost, the next delivery finds nothing to do
  else if (outcome !== "lost") await taken.nak(outcome).catch(() => {});
}
