/**
 * Starts a worker of a fleet: a world server whose worlds are in the broker.
 *
 * @module
 */
import type { FleetWorker, JoinOptions } from "../../servers/flags/fleet_flags.ts";
import type { WorkerRecord } from "../protocol/broker.ts";
import { WorkerLease } from "../protocol/worker_lease.ts";
import { WorkerSeats } from "../protocol/worker_seats.ts";
import { RolloutWorker } from "../protocol/rollout_worker.ts";
import { AccessPolicy } from "../../lib/http/access_policy.ts";
import { AgonesSdk } from "./agones_sdk.ts";
import { join } from "../../lib/platform/files/paths.ts";
import { makeTemporaryDirectory } from "../../lib/platform/files/work_folder.ts";
import { createLog } from "../../lib/platform/processes/log.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { listen } from "../../lib/platform/sockets/listen.ts";
import { sessionLimits } from "../../lib/world/session/session_options.ts";
import { openServing } from "../../lib/app/world/open_world_handler.ts";
import type { WorldServerOptions } from "../../lib/app/world/start_world_server.ts";
import { isDenied } from "../nats/broker_trouble.ts";
import { connectFleet, fleetClock } from "../nats/connect_fleet.ts";
import { encodeEntry } from "./fleet_entries.ts";
import { JournalCounts, leaseLog, type WorkerCounts, workerFamilies } from "./worker_reports.ts";
import { type FleetWorld, openFleetWorld } from "./fleet_world.ts";
import { rolloutFiles } from "../batches/remove_batch.ts";
import { runRollout } from "../batches/run_rollout.ts";
import { sharedBlobs } from "../files/shared_blobs.ts";
import { WorkerRequests } from "./worker_requests.ts";

/** How long a world is not used until it gives its slot up, in milliseconds. */
const PARK_AFTER = 5 * 60_000;

/** How many times longer a watched world may rest: a page left open does not keep a slot indefinitely. */
const WATCHED = 12;

/** How long open responses may take to finish, in milliseconds. */
const CLOSE = 2000;

/**
 * Starts a worker.
 *
 * @throws what connecting, opening the model and listening throw.
 */
export async function startFleetWorker(options: WorldServerOptions, join_: JoinOptions): Promise<FleetWorker> {
  const { host = "127.0.0.1", port = 8791, log = createLog() } = options;
  const name = join_.name ?? `worker-${crypto.randomUUID().slice(0, 8)}`;
  const broker = await connectFleet({ ...join_.broker, name }, join_.blobs);
  let isUp = false;
  const clock = fleetClock();
  const counts: WorkerCounts = { placed: 0, notPlaced: 0, fenced: 0, placementSeconds: 0, left: new Map() };
  const journalCounts = new JournalCounts();
  const own = options.stateDirectory === undefined ? await makeTemporaryDirectory() : undefined;
  const directory = options.stateDirectory ?? own!.path;
  const opened = await openServing({
    ...options,
    stateDirectory: directory,
    journal: false,
    prepare: options.prepare ?? true,
    log,
  }, {
    isReady: () => isUp && closing === undefined && lease.isSound,
    families: () =>
      !isUp ? [] : [
        ...workerFamilies({ slots: join_.slots, used: seats.used, isSound: lease.isSound, counts }),
        ...journalCounts.families(),
      ],
  }).catch(
    async (error) => {
      await broker.close();
      throw error;
    },
  );
  const { handler, worlds, served, worldLog } = opened;
  const journals = journalCounts.counting(broker.journals, clock);
  const epoch = crypto.randomUUID();
  const stop = new AbortController();
  const held = new Map<string, FleetWorld>();
  const blobs = join_.blobs === undefined ? broker.blobs : sharedBlobs(join_.blobs);
  const requests: WorkerRequests = new WorkerRequests({
    fetch: (request, peer) => handler.fetch(request, peer),
    access: new AccessPolicy({ apiKey: options.apiKey }),
    find: (id) => held.get(id),
    isSound: () => lease.isSound,
    remove: (id) => seats.remove(id),
  });
  const server = await listen((request, peer) => requests.answer(request, peer), { host, port });
  const url = join_.advertise ?? server.url;
  const fingerprint = await served.fingerprint();
  const record = (): WorkerRecord => ({
    epoch,
    url,
    pool: join_.pool,
    fingerprint,
    slots: join_.slots,
    used: seats.used,
    draining: seats.isDraining,
    version: VERSION,
  });
  const logged = leaseLog(log);
  const denied = new AbortController();
  const lease = new WorkerLease({
    workers: broker.workers,
    clock,
    worker: name,
    lease: broker.lease,
    record,
    onLapse: () => void seats.check().catch(() => {}),
    onRenewal: (error) => {
      if (!isUp && isDenied(error)) denied.abort();
      logged(error);
    },
  });
  const shared = { served, worlds, blobs, journals, directory: join(directory, "fleet"), log: worldLog };
  const open = { ...shared, encoder: options.encoder, limits: sessionLimits(options), grace: join_.grace };
  const seats: WorkerSeats = new WorkerSeats({
    broker: { ...broker, journals },
    clock,
    worker: name,
    epoch,
    url,
    pool: join_.pool,
    slots: join_.slots,
    isReady: () => lease.isSound,
    newId: () => crypto.randomUUID(),
    owner: encodeEntry({ kind: "owner", worker: `${name} ${epoch}` }),
    open: async (session, entry, journal, entries) => {
      const begun = clock.now();
      const world = await openFleetWorld(open, session, entry, journal, entries);
      held.set(session, world);
      await requests.resume(session, world);
      counts.placed++;
      counts.placementSeconds += (clock.now() - begun) / 1000;
      log("info", "world_placed", { world_id: session, entries: entries.length, ms: (clock.now() - begun).toFixed(0) });
      return {
        close: async (why) => {
          if (held.get(session) === world) held.delete(session);
          await world.close(why);
          if (world.log.isFenced) counts.fenced++;
          counts.left.set(why, (counts.left.get(why) ?? 0) + 1);
          log("info", "world_left", { world_id: session, why });
        },
      };
    },
    onChange: () => {
      lease.changed();
      agones?.changed();
    },
    onFailure: (session, error) => {
      counts.notPlaced++;
      log("error", "world_not_placed", { world_id: session, error });
    },
    signal: stop.signal,
  });
  await lease.register(denied.signal);
  if (denied.signal.aborted) {
    await Promise.all([server.close(CLOSE), handler.close()]);
    await broker.close();
    await own?.remove();
    const expected = "expected the --name and --pool that the user was made for";
    throw new Error(
      `Cannot join as worker ${name} of pool ${join_.pool}: its NATS user may not register it, ${expected}`,
    );
  }
  isUp = true;
  const kept = lease.keep(stop.signal);
  const files = rolloutFiles(broker, join_.blobs);
  const rollouts = new RolloutWorker({
    broker: { ...broker.batches, workers: broker.workers, ackWait: broker.ackWait },
    clock,
    worker: name,
    epoch,
    pool: join_.pool,
    free: () => join_.slots - seats.used,
    isReady: () => lease.isSound,
    newId: () => crypto.randomUUID(),
    run: (record, signal) => runRollout({ served, files, encoder: options.encoder }, record, signal),
    onFailure: (rollout, error) => log("error", "rollout_failed", { rollout, error }),
    signal: stop.signal,
  });
  const agones = join_.agones === undefined
    ? undefined
    : new AgonesSdk({ port: join_.agones, clock, isBusy: () => seats.used + rollouts.used > 0, log });
  const takes = join_.takes ?? { sessions: true, rollouts: true };
  if (takes.sessions) seats.start();
  if (takes.rollouts) rollouts.start();
  const reported = agones?.keep(stop.signal);
  const { parkAfter = PARK_AFTER } = options;
  const parking = setInterval(() => {
    for (const [id, { use, isIdle }] of held) {
      const rests = performance.now() - use.last;
      const isUsed = !isIdle || rests < (use.streams > 0 ? WATCHED * parkAfter : parkAfter);
      if (!isUsed) {
        void seats.leave(id, "parked").catch((error) => log("error", "park_failed", { world_id: id, error }));
      }
    }
  }, Math.max(1000, parkAfter / 4));
  let leave: () => void;
  const asked = new Promise<void>((resolve) => leave = resolve);
  await broker.followDrain(name, epoch, () => leave(), stop.signal);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    clearInterval(parking);
    await rollouts.drain().catch((error) => log("error", "drain_failed", { error }));
    await seats.drain().catch((error) => log("error", "drain_failed", { error }));
    stop.abort();
    await Promise.all([kept, reported]);
    await lease.leave();
    await agones?.shutdown();
    await Promise.all([server.close(CLOSE), handler.close()]);
    await broker.close();
    await own?.remove();
  };
  return {
    url: server.url,
    backend: handler.backend,
    model: handler.model,
    lost: handler.lost,
    asked,
    close: () => closing ??= close(),
  };
}
