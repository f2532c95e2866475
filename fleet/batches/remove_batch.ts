/**
 * Removes a batch of rollouts with its files.
 *
 * @module
 */
import type { NatsBatches } from "../nats/nats_batches.ts";
import { type CollectableBlobs, type Collected, removeUnnamed, type StoredBlob } from "../files/blob_store.ts";
import { insist } from "../protocol/compare_and_set.ts";
import type { ClusterClock } from "../protocol/broker.ts";
import type { RolloutRecord } from "../protocol/rollout_records.ts";
import type { NatsBroker } from "../nats/connect_broker.ts";
import { join } from "../../lib/platform/files/paths.ts";
import { sharedBlobs } from "../files/shared_blobs.ts";

/** Files that are checked together, and requested at a time. */
const PART = 10_000;
const AT_A_TIME = 16;

/** Milliseconds in which a rollout that runs names a file that it has written; also those that clocks differ by. */
const NAMED_WITHIN = 600_000;

/** Milliseconds after which a source that was uploaded has its rollouts. */
const SUBMITTED_WITHIN = 86_400_000;

/** What it works with. */
interface RemoveBatchOptions {
  readonly broker: Pick<NatsBatches, "files" | "all" | "clear">;
  readonly clock: ClusterClock;
  readonly tenant: string;
  readonly dataset: string;
  /** Ends it: files that are left then go when the store is collected. */
  readonly signal: AbortSignal;
}

/** What was removed. */
interface RemovedBatch {
  readonly removed: number;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Removes the rollouts of a dataset at once, then those of their files that no other rollout has. Sources that were
 * uploaded within the last day stay, since others may be about to name them; while any rollout runs, so does what was
 * made in the last ten minutes. `svc cluster collect` removes them later.
 */
export async function removeBatch(
  options: RemoveBatchOptions,
  records: AsyncIterable<RolloutRecord>,
): Promise<RemovedBatch> {
  const { broker, clock, tenant, dataset, signal } = options;
  const sources = new Set<string | undefined>();
  const unique = new Set<string>();
  const items = new Set<string>();
  for await (const record of records) {
    items.add(record.item);
    sources.add(sourceOf(record));
    for (const name of namesOfRollout(record)) unique.add(name);
  }
  await insist(clock, () => broker.clear(tenant, dataset), signal);
  const names = [...unique];
  let files = 0;
  let bytes = 0;
  for (let i = 0; i < names.length && !signal.aborted; i += PART) {
    const removed = await removeFiles(options, names.slice(i, i + PART), sources);
    files += removed.removed;
    bytes += removed.bytes;
  }
  return { removed: items.size, files, bytes };
}

/** Removes those of some files that no rollout has. */
async function removeFiles(
  { broker, signal }: RemoveBatchOptions,
  names: readonly string[],
  sources: ReadonlySet<string | undefined>,
): Promise<Omit<Collected, "blobs">> {
  const found = new Map<string, StoredBlob>();
  for (let i = 0; i < names.length; i += AT_A_TIME) {
    for (const blob of await Promise.all(names.slice(i, i + AT_A_TIME).map((name) => broker.files.find(name)))) {
      if (blob) found.set(blob.sha256, blob);
    }
  }
  let isRunning = false;
  const others = async function* (): AsyncGenerator<string, void, void> {
    for await (const record of broker.all()) {
      if (record.phase === "running") isRunning = true;
      yield* namesOfRollout(record);
    }
    const now = Date.now();
    for (const { sha256, written } of found.values()) {
      const stays = sources.has(sha256) ? SUBMITTED_WITHIN : isRunning ? NAMED_WITHIN : 0;
      if (written > now - stays) yield sha256;
    }
  };
  return await removeUnnamed(broker.files, found, others(), { signal });
}

/** The files of a rollout: what it was made of, and what it made. */
export function* namesOfRollout(record: RolloutRecord): Generator<string, void, void> {
  const { result } = record;
  const source = sourceOf(record);
  if (source !== undefined) yield source;
  if (!result) return;
  yield result.video.sha256;
  yield result.frame.sha256;
}

function sourceOf({ spec }: RolloutRecord): string | undefined {
  const { source } = JSON.parse(spec) as { readonly source?: unknown };
  return typeof source === "string" ? source : undefined;
}

/** The files of rollouts, apart from those of worlds: in a folder that all share, else in the broker. */
export function rolloutFiles({ batches }: NatsBroker, folder: string | undefined): CollectableBlobs {
  return folder === undefined ? batches.files : sharedBlobs(join(folder, "rollouts"));
}
