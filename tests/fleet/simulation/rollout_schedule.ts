import type { Bucket, ClusterBroker, WorkerRecord } from "../../../fleet/protocol/broker.ts";
import { WorkerLease } from "../../../fleet/protocol/worker_lease.ts";
import {
  hasEnded,
  MOST_ATTEMPTS,
  type RolloutBroker,
  RolloutConflict,
  type RolloutRecord,
  submitRollout,
} from "../../../fleet/protocol/rollout_records.ts";
import { RolloutRefused, RolloutWorker } from "../../../fleet/protocol/rollout_worker.ts";
import { nextHash } from "./fleet.ts";
import { MemoryBroker } from "./memory_broker.ts";
import { Process, throughNetwork, type Weather } from "./network.ts";
import { randomFrom, VirtualClock } from "./virtual_clock.ts";

const LEASE = 3000;
const WORKERS = 3;
const SLOTS = 2;
const ITEMS = 24;

/** Rollouts that end badly: one that no attempt can make, one that takes its process with it, one that works later. */
const POISON = "item-3";
const KILLER = "item-7";
const FLAKY = "item-11";

/** Milliseconds within which a worker has given up what worlds want. */
const GIVEN_UP = 1500;

interface Running {
  readonly process: Process;
  readonly worker: RolloutWorker;
  readonly stop: AbortController;
  /** Slots that worlds have, and since when. */
  worlds: number;
  since: number;
  /** Rollouts that run in it. */
  count: number;
}

/** Plays rollouts with faults of workers and of the network, all drawn from the seed; returns what was wrong. */
export async function runRollouts(seed: number): Promise<string[]> {
  const random = randomFrom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const clock = new VirtualClock();
  const memory = new MemoryBroker({
    clock,
    random,
    lease: LEASE,
    ackWait: 2000,
    dropsDoubles: random() < 0.5,
    lineLength: 1000,
    ticketLife: Infinity,
  });
  const records = memory.bucket<RolloutRecord>();
  // The network passes values on as they are, whatever they are.
  const broker: ClusterBroker = { ...memory.port, sessions: records as unknown as ClusterBroker["sessions"] };
  // A rollout that kills its process takes an attempt from what runs beside it: other faults would add up to five.
  const hasKiller = seed % 3 === 0;
  const losses = [0, 0.01, 0.05][below(3)];
  let isCalm = false;
  const latency = (): number => 0.2 + random() * (random() < 0.05 ? 40 : 2);
  const weather = (): Weather => {
    const chance = isCalm ? 0 : losses;
    return { latency, timeout: 800, lostRequest: chance, lostAnswer: chance, doubled: chance };
  };
  const network = { clock, random, weather, isAway: false };
  const wrong: string[] = [];
  const reach = (process: Process): RolloutBroker & Pick<ClusterBroker, "lease" | "workers"> => {
    const { workers, sessions, tickets, ackWait, lease } = throughNetwork(broker, process, network);
    return { workers, rollouts: sessions as unknown as Bucket<RolloutRecord>, tickets, ackWait, lease };
  };

  const ended = new Map<string, RolloutRecord>();
  const stop = new AbortController();
  await records.watch((key, entry) => {
    const before = ended.get(key);
    if (before) wrong.push(`${key} has ended ${before.phase}, and was written again`);
    if (entry && entry.value.attempt > MOST_ATTEMPTS) wrong.push(`${key} was begun ${entry.value.attempt} times`);
    if (entry && hasEnded(entry.value)) ended.set(key, entry.value);
  }, stop.signal);

  let epochs = 0;
  let flakes = 0;
  const start = (name: string): Running => {
    const process = new Process();
    const own = process.clock(clock);
    const epoch = `${name}-${++epochs}`;
    const reached = reach(process);
    const end = new AbortController();
    const record: WorkerRecord = {
      epoch,
      url: "http://worker",
      pool: "default",
      fingerprint: "one",
      slots: SLOTS,
      used: 0,
      draining: false,
      version: "1",
    };
    const lease = new WorkerLease({
      workers: reached.workers,
      clock: own,
      worker: epoch,
      lease: LEASE,
      record: () => record,
    });
    let ids = 0;
    const run = async ({ item, spec }: RolloutRecord, signal: AbortSignal) => {
      running.count++;
      if (running.count > SLOTS) wrong.push(`${epoch} runs ${running.count} rollouts in ${SLOTS} slots`);
      try {
        if (item === POISON) throw new RolloutRefused("poison");
        if (item === FLAKY && flakes++ < 1) throw new Error("flaky");
        for (let block = 1 + below(20); block > 0; block--) {
          await own.wait(100 + below(100));
          if (item === KILLER && hasKiller) process.isDead = true;
          await process.runs();
          if (signal.aborted) throw new Error("given up");
        }
        const file = { sha256: nextHash("", spec), size: 1 };
        return { video: file, frame: file, pixels_sha256: nextHash("", spec), pixel_frame_count: 9, seconds: 1 };
      } finally {
        running.count--;
      }
    };
    const worker = new RolloutWorker({
      broker: reached,
      clock: own,
      worker: epoch,
      epoch,
      pool: "default",
      free: () => SLOTS - running.worlds,
      isReady: () => lease.isSound,
      newId: () => `${epoch}-${ids++}`,
      run,
      signal: end.signal,
    });
    const running: Running = { process, worker, stop: end, worlds: 0, since: 0, count: 0 };
    const live = async (): Promise<void> => {
      await lease.register(end.signal);
      worker.start();
      await lease.keep(end.signal);
    };
    void live();
    return running;
  };
  const workers = Array.from({ length: WORKERS }, (_, i) => start(`w${i}`));

  /** Starts a process again that has died, as a supervisor does. */
  const supervise = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await clock.wait(700, stop.signal);
      workers.forEach(({ process, stop: end }, i) => {
        if (!process.isDead || stop.signal.aborted) return;
        end.abort();
        workers[i] = start(`w${i}`);
      });
    }
  };
  const look = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await clock.wait(100, stop.signal);
      for (const { process, count, worlds, since } of workers) {
        if (process.isDead || process.isPaused) continue;
        const isLate = count > SLOTS - worlds && clock.now() - since > GIVEN_UP;
        if (isLate && count > 0) wrong.push(`${count} rollouts run beside ${worlds} worlds in ${SLOTS} slots`);
      }
    }
  };
  const fault = async (): Promise<void> => {
    await clock.wait(below(15_000));
    const at = below(WORKERS);
    const running = workers[at];
    const { process } = running;
    const length = [300, 1500, 3500, 8000][below(4)];
    const kind = below(6);
    if (kind === 0) process.isDead = true;
    else if (kind === 1) {
      process.isPaused = true;
      running.since = Infinity; // nothing is expected of it until it runs again
      await clock.wait(length);
      running.since = clock.now();
      process.resume();
    } else if (kind === 2) {
      process.isCut = true;
      await clock.wait(length);
      process.isCut = false;
    } else if (kind === 3) {
      network.isAway = true;
      await clock.wait(length);
      network.isAway = false;
    } else if (kind === 4) {
      running.worlds = 1 + below(SLOTS);
      running.since = clock.now();
      await clock.wait(length);
      running.worlds = 0;
    } else {
      await running.worker.drain();
      process.isDead = true;
    }
  };
  const submit = async (): Promise<void> => {
    for (let i = 0; i < ITEMS; i++) {
      const record: RolloutRecord = {
        tenant: "one",
        dataset: "data",
        item: `item-${i}`,
        pool: "default",
        spec: `spec ${i}`,
        phase: "waiting",
        attempt: 0,
      };
      const given = { broker: reach(new Process()), clock };
      await submitRollout(given, record);
      // Its submitter was killed before it knew.
      if (random() < 0.3 && await submitRollout(given, record)) wrong.push(`${record.item} is new twice`);
      const other = await submitRollout(given, { ...record, spec: "another" }).catch((error) => error);
      if (!(other instanceof RolloutConflict) && !ended.has(`one.data.${record.item}`)) wrong.push(`${other}`);
    }
  };
  void supervise();
  void look();
  void Promise.all([submit(), ...Array.from({ length: hasKiller ? 0 : 4 }, fault)]).then(() => isCalm = true);
  await clock.run(() => isCalm && ended.size === ITEMS, 900_000);
  // Nothing is written after the end.
  await clock.run(() => false, clock.now() + 20_000);
  stop.abort();
  for (let i = 0; i < ITEMS; i++) {
    const found = ended.get(`one.data.item-${i}`);
    const item = `item-${i}`;
    const isBad = item === POISON || hasKiller && item === KILLER;
    if (!found) wrong.push(`${item} has not ended`);
    else if (found.phase !== (isBad ? "failed" : "done")) wrong.push(`${item} has ${found.phase}: ${found.reason}`);
    else if (!isBad && found.result?.pixels_sha256 !== nextHash("", `spec ${i}`)) wrong.push(`${item} is another one`);
    if (item === POISON && found?.reason !== "poison") wrong.push(`${item} is set aside without its reason`);
  }
  for (const { process, stop: end } of workers) {
    process.isDead = true;
    end.abort();
  }
  return wrong;
}
