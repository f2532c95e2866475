/**
 * What `svc cluster` shows and does.
 *
 * @module
 */
import { type BrokerOptions, connectBroker, type NatsBroker } from "../nats/connect_broker.ts";
import type { LayoutOptions } from "../nats/layout.ts";
import { FleetView } from "../protocol/fleet_view.ts";
import type { SessionRecord, WorkerRecord } from "../protocol/records.ts";
import { pageOf, type PageRequest } from "../../lib/http/list_page.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { fleetClock } from "../worker/fleet_clock.ts";
import { worldPosition } from "../gateway/gateway_worlds.ts";

/** A worker by its name. */
export type ShownWorker = WorkerRecord & { readonly worker: string };

/** A world by its id. */
export type ShownWorld = SessionRecord & { readonly world_id: string };

/** What a fleet has now. */
export interface FleetStatus {
  readonly workers: readonly ShownWorker[];
  /** Worlds by phase. */
  readonly worlds: ReadonlyMap<string, number>;
}

/** Some of the worlds of a fleet. */
export interface ShownWorlds {
  readonly worlds: readonly ShownWorld[];
  /** Asks for the rest; undefined at the end. */
  readonly next_after?: string;
}

/** Reads what a fleet has. */
export function readFleet(broker: Omit<BrokerOptions, "name">): Promise<FleetStatus> {
  return withView(broker, (view) => {
    const workers = [...view.workers].map(([worker, { value }]) => ({ worker, ...value }));
    const worlds = new Map(["ready", "waiting", "parked", "failed"].map((phase) => [phase, 0]));
    for (const { value: { phase } } of view.sessions.values()) worlds.set(phase, worlds.get(phase)! + 1);
    return Promise.resolve({ workers: workers.sort((a, b) => a.worker < b.worker ? -1 : 1), worlds });
  });
}

/** Lists worlds of a fleet, the oldest first. */
export function readWorlds(broker: Omit<BrokerOptions, "name">, page: PageRequest): Promise<ShownWorlds> {
  return withView(broker, (view) => {
    const { rows, next } = pageOf(view.sessions, page, worldPosition);
    const worlds = rows.map(([world_id, { value }]) => ({ world_id, ...value }));
    return Promise.resolve({ worlds, ...(next && { next_after: next }) });
  });
}

/**
 * Asks a worker to leave: it takes no more worlds, ends what runs and hands its worlds to others.
 *
 * @throws {UsageError} when there is no such worker.
 */
export async function drainWorker(broker: Omit<BrokerOptions, "name">, worker: string): Promise<void> {
  await withView(broker, async (view, connected) => {
    const entry = view.workers.get(worker);
    if (!entry) {
      throw new UsageError(`Cannot drain worker ${worker}: the fleet has none of this name, see svc cluster status`);
    }
    await connected.askToDrain(worker, entry.value.epoch);
  });
}

/** Lays a fleet out in a new broker. */
export async function initFleet(
  broker: Omit<BrokerOptions, "name">,
  layout: LayoutOptions,
): Promise<{ lease: number }> {
  const connected = await connectBroker({ ...broker, name: "svc cluster", layout });
  await connected.close();
  return { lease: connected.lease };
}

async function withView<T>(
  options: Omit<BrokerOptions, "name">,
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
