/**
 * Removes a dataset of rollouts with its files.
 *
 * @module
 */
import type { NatsRollouts } from "../../../cluster/nats/nats_rollouts.ts";
import { removeUnnamed } from "../../../cluster/blobs/collect_blobs.ts";
import type { StoredBlob } from "../../../cluster/blobs/blob_store.ts";
import type { ClusterClock } from "../../../cluster/protocol/engine.ts";
import { removeRollout } from "../../../cluster/rollouts/rollout_line.ts";
import type { RolloutRecord } from "../../../cluster/rollouts/rollout_records.ts";

/** Rollouts and files that are asked for at a time. */
const AT_A_TIME = 16;

/** Milliseconds in which a rollout that runs names a file that it has written; also those that clocks differ by. */
const NAMED_WITHIN = 600_000;

/** Milliseconds after which a source that was uploaded has its rollouts. */
const SUBMITTED_WITHIN = 86_400_000;

/** What it works with. */
export interface RemoveDatasetOptions {
  readonly engine: Pick<NatsRollouts, "rollouts" | "files" | "all">;
  readonly clock: ClusterClock;
  readonly signal: AbortSignal;
}

/** What was removed. */
export interface RemovedDataset {
  readonly removed: number;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Removes rollouts, then those of their files that no other rollout has. Sources that were uploaded within the last day
 * stay, since others may be about to name them; while any rollout runs, so does what was made in the last ten minutes.
 * `svc cluster collect` removes them later.
 */
export async function removeDataset(
  { engine, clock, signal }: RemoveDatasetOptions,
  records: AsyncIterable<RolloutRecord>,
): Promise<RemovedDataset> {
  const found = new Map<string, StoredBlob>();
  const sources = new Set<string | undefined>();
  const unique = new Set<string>();
  const rollouts = new Map<string, Pick<RolloutRecord, "tenant" | "dataset" | "item">>();
  for await (const record of records) {
    const { tenant, dataset, item } = record;
    rollouts.set(item, { tenant, dataset, item });
    sources.add(sourceOf(record));
    for (const name of namesOfRollout(record)) unique.add(name);
  }
  const names = [...unique];
  for (let i = 0; i < names.length; i += AT_A_TIME) {
    for (const blob of await Promise.all(names.slice(i, i + AT_A_TIME).map((name) => engine.files.find(name)))) {
      if (blob) found.set(blob.sha256, blob);
    }
  }
  let removed = 0;
  const all = [...rollouts.values()];
  for (let i = 0; i < all.length; i += AT_A_TIME) {
    const some = all.slice(i, i + AT_A_TIME).map((record) => removeRollout({ engine, clock, signal }, record));
    removed += (await Promise.all(some)).filter(Boolean).length;
  }
  let isRunning = false;
  const others = async function* (): AsyncGenerator<string, void, void> {
    for await (const record of engine.all()) {
      if (record.phase === "running") isRunning = true;
      yield* namesOfRollout(record);
    }
    const now = Date.now();
    for (const { sha256, written } of found.values()) {
      const stays = sources.has(sha256) ? SUBMITTED_WITHIN : isRunning ? NAMED_WITHIN : 0;
      if (written > now - stays) yield sha256;
    }
  };
  const { removed: files, bytes } = await removeUnnamed(engine.files, found, others());
  return { removed, files, bytes };
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
