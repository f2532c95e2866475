/**
 * Removes the pictures, videos and states that no world and no rollout of a fleet has any more.
 *
 * @module
 */
import { type BrokerOptions, connectBroker, type NatsBroker } from "../nats/connect_broker.ts";
import { collectBlobs, type Collected } from "../files/collect_blobs.ts";
import { decodeEntry } from "../worker/fleet_entries.ts";
import { requireFolder } from "../worker/fleet_folder.ts";
import { rolloutFiles } from "../batches/rollout_files.ts";
import { namesOfRollout } from "../batches/remove_dataset.ts";
import { sharedBlobs } from "../files/shared_blobs.ts";

/** How a fleet is collected. */
export interface CollectFleetOptions {
  readonly broker: Omit<BrokerOptions, "name">;
  /** The folder that workers share; the broker's object store by default. */
  readonly blobs?: string | undefined;
  /** Milliseconds that a file stays in any case. */
  readonly grace: number;
  /** Counts, and removes nothing. */
  readonly dryRun?: boolean | undefined;
}

export type { Collected };

/** What was found. */
export interface CollectedFleet {
  readonly worlds: Collected;
  readonly rollouts: Collected;
}

/**
 * Removes what is not in use; may run at any time, beside everything else.
 *
 * @throws {Error} when a journal cannot be read: then nothing of worlds is removed; when the folder is not this fleet's.
 */
export async function collectFleet(options: CollectFleetOptions): Promise<CollectedFleet> {
  const { blobs: folder, grace, dryRun } = options;
  const broker = await connectBroker({ ...options.broker, name: "svc cluster collect" });
  try {
    if (folder !== undefined) await requireFolder(folder, broker.fleet);
    const common = { now: Date.now(), grace, dryRun };
    const store = folder === undefined ? broker.blobs : sharedBlobs(folder);
    const worlds = await collectBlobs({ ...common, store, names: () => namesOfWorlds(broker) });
    const files = rolloutFiles(broker, folder);
    const rollouts = await collectBlobs({ ...common, store: files, names: () => namesOfRollouts(broker) });
    return { worlds, rollouts };
  } finally {
    await broker.close();
  }
}

async function* namesOfRollouts({ rollouts }: Pick<NatsBroker, "rollouts">): AsyncGenerator<string, void, void> {
  for await (const record of rollouts.all()) yield* namesOfRollout(record);
}

/** Every blob that a journal speaks of, also of files that were removed later. */
async function* namesOfWorlds(
  { sessions, journals }: Pick<NatsBroker, "sessions" | "journals">,
): AsyncGenerator<string, void, void> {
  const stop = new AbortController();
  const ids = new Set<string>();
  try {
    await sessions.watch((id) => void ids.add(id), stop.signal);
  } finally {
    stop.abort();
  }
  for (const id of ids) {
    for (const { data } of await journals.read(id)) {
      const { head } = decodeEntry(data);
      if (head.kind === "owner" || head.kind === "answer") continue;
      if (head.blob) yield head.blob.sha256;
      for (const [, { sha256 }] of head.files) yield sha256;
    }
  }
}
