/**
 * The records of batch rollouts, and how one is queued for a worker.
 *
 * @module
 */
import { insist, RETRY } from "./compare_and_set.ts";
import { BrokerRefusal, type Bucket, type ClusterClock, type TicketQueue, type WorkerRecord } from "./broker.ts";

/** How often a rollout is begun until it is set aside. */
export const MOST_ATTEMPTS = 5;

/** The phase of a rollout. */
type RolloutPhase = "waiting" | "running" | "done" | "failed";

/** A file of a result, by its SHA-256 in lower-case hexadecimal. */
export interface RolloutFile {
  readonly sha256: string;
  readonly size: number;
}

/** What a rollout has made. */
export interface RolloutResult {
  /** An MP4 file. */
  readonly video: RolloutFile;
  /** Its last frame as a PNG file. */
  readonly frame: RolloutFile;
  /** SHA-256 over the pixels of all frames, the same for the same spec, weights and device. */
  readonly pixels_sha256: string;
  readonly pixel_frame_count: number;
  /** Seconds that the attempt took which made it. */
  readonly seconds: number;
}

/** A rollout of a dataset. Once it is done or failed it never changes again. */
export interface RolloutRecord {
  readonly tenant: string;
  readonly dataset: string;
  readonly item: string;
  readonly pool: string;
  /** The request, as JSON. */
  readonly spec: string;
  readonly phase: RolloutPhase;
  /** Another one where a rollout was removed and submitted again: its ticket is not taken for the old one. */
  readonly generation?: number;
  /** How often it was started; an attempt that was interrupted for a world does not count. */
  readonly attempt: number;
  /** Who runs it, and the id of that attempt. */
  readonly owner?: { readonly worker: string; readonly epoch: string; readonly claim: string };
  readonly result?: RolloutResult;
  /** Why it failed, or why the attempt before did. */
  readonly reason?: string;
}

/** Where a rollout is kept. */
export function rolloutKey({ tenant, dataset, item }: Pick<RolloutRecord, "tenant" | "dataset" | "item">): string {
  return `${tenant}.${dataset}.${item}`;
}

/** Whether a rollout has ended. */
export function hasEnded({ phase }: Pick<RolloutRecord, "phase">): boolean {
  return phase === "done" || phase === "failed";
}

/** What rollouts need of the broker. */
export interface RolloutBroker {
  readonly rollouts: Bucket<RolloutRecord>;
  /** Their tickets: a ticket's session is the key of a rollout. */
  readonly tickets: TicketQueue;
  readonly workers: Pick<Bucket<WorkerRecord>, "get">;
  /** Milliseconds after which an unacknowledged ticket is handed out again. */
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
