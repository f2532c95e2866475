import type { ClusterClock, TakenTicket } from "./broker.ts";

/** Works on a ticket and extends it meanwhile, every third of `ackWait`, so that the broker hands it to nobody else. */
export async function holdTicket(
  taken: TakenTicket,
  { clock, ackWait }: { readonly clock: ClusterClock; readonly ackWait: number },
  work: () => Promise<void>,
): Promise<void> {
  const done = new AbortController();
  const beat = async (): Promise<void> => {
    while (!done.signal.aborted) {
      await clock.wait(ackWait / 3, done.signal);
      if (!done.signal.aborted) await taken.working().catch(() => {});
    }
  };
  const beating = beat();
  try {
    await work();
  } finally {
    done.abort();
    await beating;
  }
}
