/**
 * What `svc cluster` shows and does.
 *
 * @module
 */
import type { BrokerAddress } from "../../servers/flags/fleet_flags.ts";
import { connectBroker, type NatsBroker } from "../nats/connect_broker.ts";
import type { LayoutOptions } from "../nats/layout.ts";
import { FleetView } from "../protocol/fleet_view.ts";
import type { SessionRecord, WorkerRecord } from "../protocol/broker.ts";
import { pageOf, type PageRequest } from "../../lib/http/list_page.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { fleetClock, requireFolder } from "../nats/connect_fleet.ts";
import { worldPosition } from "../gateway/gateway_worlds.ts";
import { collectBlobs, type Collected } from "../files/blob_store.ts";
import { decodeEntry } from "../worker/fleet_entries.ts";
import { namesOfRollout, rolloutFiles } from "../batches/remove_batch.ts";
import { sharedBlobs } from "../files/shared_blobs.ts";

/** A worker by its name. */
type ShownWorker = WorkerRecord & { readonly worker: string };

/** A world by its id. */
type ShownWorld = SessionRecord & { readonly world_id: string };

/** What a fleet has now. */
interface FleetStatus {
  readonly workers: readonly ShownWorker[];
  /** Worlds by phase. */
  readonly worlds: ReadonlyMap<string, number>;
}

/** Some of the worlds of a fleet. */
interface ShownWorlds {
  readonly worlds: readonly ShownWorld[];
  /** Asks for the rest; undefined at the end. */
  readonly next_after?: string;
}

/** Reads what a fleet has. */
export function readFleet(broker: BrokerAddress): Promise<FleetStatus> {
  return withView(broker, (view) => {
    const workers = [...view.workers].map(([worker, { value }]) => ({ worker, ...value }));
    const worlds = new Map(["ready", "waiting", "parked", "failed"].map((phase) => [phase, 0]));
    for (const { value: { phase } } of view.sessions.values()) worlds.set(phase, worlds.get(phase)! + 1);
    return Promise.resolve({ workers: workers.sort((a, b) => a.worker < b.worker ? -1 : 1), worlds });
  });
}

/** Lists worlds of a fleet, the oldest first. */
export function readWorlds(broker: BrokerAddress, page: PageRequest): Promise<ShownWorlds> {
  return withView(broker, (view) => {
    const { rows, next } = pageOf(view.sessions, page, worldPosition);
    const worlds = rows.map(([world_id, { value }]) => ({ world_id, ...value }));
    return Promise.resolve({ worlds, ...(next && { next_after: next }) });
  });
}

/**
 * Asks a worker to leave: it accepts no more worlds, finishes its jobs and hands its worlds to others.
 *
 * @throws {UsageError} when there is no such worker.
 */
export async function drainWorker(broker: BrokerAddress, worker: string): Promise<void> {
  await withView(broker, async (view, connected) => {
    const entry = view.workers.get(worker);
    if (!entry) {
      throw new UsageError(`Cannot drain worker ${worker}: the fleet has none of this name, see svc cluster status`);
    }
    await connected.askToDrain(worker, entry.value.epoch);
  });
}

/** Sets up a fleet on a NATS server that has none yet. */
export async function initFleet(
  broker: BrokerAddress,
  layout: LayoutOptions,
): Promise<{ lease: number }> {
  const connected = await connectBroker({ ...broker, name: "svc cluster", layout });
  await connected.close();
  return { lease: connected.lease };
}

async function withView<T>(
  options: BrokerAddress,
  work: (view: FleetView, broker: NatsBroker) => Promise<T>,
): Promise<T> {
  const broker = await connectBroker({ ...options, name: "svc cluster" });
  const stop = new AbortController();
  const view = new FleetView({ broker, clock: fleetClock(), watchOnly: true, signal: stop.signal });
  try {
    await view.start();
    return await work(view, broker);
  } finally {
    stop.abort();
    await broker.close();
  }
}

/** How a fleet is collected. */
interface CollectFleetOptions {
  readonly broker: BrokerAddress;
  /** The folder that workers share; the broker's object store by default. */
  readonly blobs?: string | undefined;
  /** Milliseconds that a file stays in any case. */
  readonly grace: number;
  /** Counts, and removes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** What was found. */
interface CollectedFleet {
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

async function* namesOfRollouts({ batches }: Pick<NatsBroker, "batches">): AsyncGenerator<string, void, void> {
  for await (const record of batches.all()) yield* namesOfRollout(record);
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
