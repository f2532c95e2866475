/**
 * Puts batch rollouts into the line for a worker.
 *
 * @module
 */
import { insist, RETRY } from "../protocol/compare_and_set.ts";
import { BrokerRefusal, type Bucket, type ClusterClock, type TicketQueue } from "../protocol/broker.ts";
import type { WorkerRecord } from "../protocol/records.ts";
import { hasEnded, rolloutKey, type RolloutRecord } from "./rollout_records.ts";

/** What rollouts need of the broker. */
export interface RolloutBroker {
  readonly rollouts: Bucket<RolloutRecord>;
  /** Their tickets: a ticket's session is the key of a rollout. */
  readonly tickets: TicketQueue;
  readonly workers: Pick<Bucket<WorkerRecord>, "get">;
  /** Milliseconds after which a ticket is handed out again that nobody has answered for. */
  readonly ackWait: number;
}

/** Another rollout of this name is in the dataset. */
export class RolloutConflict extends Error {
  override name = "RolloutConflict";
}

/**
 * Adds a rollout, once: repeated, it finds the one that is there, and makes up for a ticket that was lost.
 *
 * @returns whether it is new.
 * @throws {RolloutConflict} when one with this name has another spec, {BrokerRefusal} `full` when too many wait.
 */
export async function submitRollout(
  { broker, clock, signal }: {
    readonly broker: Pick<RolloutBroker, "rollouts" | "tickets">;
    readonly clock: ClusterClock;
    readonly signal?: AbortSignal | undefined;
  },
  record: RolloutRecord,
): Promise<boolean> {
  const key = rolloutKey(record);
  let isNew = false;
  let generation = record.generation ?? 1;
  while (true) {
    try {
      await broker.rollouts.create(key, record);
      isNew = true;
      break;
    } catch (error) {
      if (signal?.aborted) throw error;
      if (!(error instanceof BrokerRefusal)) {
        await clock.wait(RETRY, signal);
        continue;
      }
    }
    const found = await insist(clock, () => broker.rollouts.get(key), signal);
    if (!found) continue;
    if (found.value.spec !== record.spec || found.value.pool !== record.pool) {
      throw new RolloutConflict(
        `Cannot submit rollout ${record.item}: dataset ${record.dataset} has another one of it`,
      );
    }
    if (hasEnded(found.value)) return false;
    generation = found.value.generation ?? 1;
    break;
  }
  await insist(clock, () => broker.tickets.publish(record.pool, { session: key, generation }), signal);
  return isNew;
}
