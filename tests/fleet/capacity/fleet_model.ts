import { BrokerRefusal, type ClusterClock } from "../../../fleet/protocol/broker.ts";
import { FleetView } from "../../../fleet/protocol/fleet_view.ts";
import { routeToOwner } from "../../../fleet/protocol/session_router.ts";
import { MemoryBroker } from "../simulation/memory_broker.ts";
import { type Network, Process, throughNetwork } from "../simulation/network.ts";
import { randomFrom, VirtualClock } from "../simulation/virtual_clock.ts";
import { ModelledWorker } from "./modelled_worker.ts";
import { Tally } from "./tally.ts";

/** What is asked of a fleet. */
export interface FleetQuestion {
  readonly seed: number;
  /** Worlds at a steady day. */
  readonly worlds: number;
  readonly workers: number;
  readonly slots: number;
  readonly gateways: number;
  /** Worlds that may wait. */
  readonly line: number;
  /** Seconds until the figures count, and seconds that they count for. */
  readonly warm: number;
  readonly seconds: number;
  readonly event: "none" | "burst" | "zone" | "deploy";
}

/** Median and deviation of the length of a visit (log-normal), in seconds, and means of its phases. */
const VISIT = 480;
const DEVIATION = 1;
const WALKING = 45;
const THINKING = 75;

/** Milliseconds of video in a move, and its blocks. */
const MOVE = 2000;
const BLOCKS = 3;

/** GPUs by how much faster than the video they generate: shares of the fleet. */
const CLASSES = [{ share: 0.1, speed: 1.2 }, { share: 0.8, speed: 1.5 }, { share: 0.1, speed: 2 }] as const;

/** Milliseconds of a GPU for a new world, and the most and the least for one that is made again. */
const NEW = 300;
const AGAIN = [500, 3000] as const;

/** Milliseconds between two roles, and milliseconds after which a refused visitor asks again. */
const HOP = 1;
const RETRY = 5000;

/** How many times more visitors come in a burst, and for how many seconds. */
const BURST = { times: 10, seconds: 60 };

interface Placed {
  readonly worker: ModelledWorker;
  readonly process: Process;
}

/** Plays visitors on a fleet with the real protocol; all times are virtual. */
export async function askFleet(question: FleetQuestion): Promise<Tally> {
  const { seed, worlds, workers, slots, gateways, line, warm, seconds, event } = question;
  const virtual = new VirtualClock();
  const clock: ClusterClock = {
    now: () => virtual.now(),
    wait: (milliseconds, signal) => virtual.wait(Math.ceil(milliseconds), signal),
  };
  const random = randomFrom(seed);
  const exponential = (mean: number): number => -mean * Math.log(1 - random());
  const visit = (): number =>
    VISIT * Math.exp(DEVIATION * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
  const memory = new MemoryBroker({
    clock: virtual,
    random,
    lease: 20_000,
    ackWait: 20_000,
    dropsDoubles: false,
    lineLength: line,
  });
  const weather = { latency: () => HOP, timeout: 900, lostRequest: 0, lostAnswer: 0, doubled: 0 };
  const network: Network = { clock, random, weather: () => weather, isAway: false };
  const end = 1000 * (warm + seconds);
  const tally = new Tally(memory.port, () => clock.now(), 1000 * warm);
  const at = new Map<string, Placed>();
  let made = 0;

  const startWorker = async (): Promise<Placed> => {
    const name = `w${made++}`;
    const process = new Process();
    const broker = throughNetwork(tally.broker, process, network);
    let draw = random();
    const { speed } = CLASSES.find(({ share }) => (draw -= share) < 0) ?? CLASSES[1];
    const block = Math.round(MOVE / speed / BLOCKS);
    const restore = (isNew: boolean): number => isNew ? NEW : Math.round(AGAIN[0] + (AGAIN[1] - AGAIN[0]) * random());
    const worker = new ModelledWorker({
      broker,
      clock: process.clock(clock),
      name,
      slots,
      block,
      blocks: BLOCKS,
      restore,
    });
    const placed = { worker, process };
    at.set(worker.url, placed);
    await worker.start();
    return placed;
  };

  const stop = new AbortController();
  const views = Array.from({ length: gateways }, () => {
    const broker = throughNetwork(tally.broker, new Process(), network);
    return new FleetView({ broker, clock, signal: stop.signal });
  });

  /** Asks for one move until it is done; returns the milliseconds that its GPU worked on it. */
  const move = async (view: FleetView, session: string): Promise<number | undefined> => {
    const routed = await routeToOwner({
      view,
      clock,
      session,
      timeout: 60_000,
      ask: async (owner, moved) => {
        const { worker, process } = at.get(owner.url)!;
        await clock.wait(HOP);
        const isDone = await new Promise<boolean>((resolve) => {
          moved.addEventListener("abort", () => resolve(false), { once: true });
          // A machine without power does not even refuse a connection.
          if (!process.isDead) void worker.move(session).then(resolve);
        });
        await clock.wait(HOP);
        return isDone ? worker.ofMove : undefined;
      },
    });
    return "answer" in routed ? routed.answer : undefined;
  };

  const visitor = async (number: number, length: number): Promise<void> => {
    const id = `s${number}`;
    const view = views[number % gateways];
    const came = clock.now();
    while (true) {
      const isFull = view.waiting("default") >= line;
      if (!isFull) {
        const created_at = "2026-01-01T00:00:00.000Z";
        const record = {
          pool: "default",
          tenant: "one",
          created_at,
          phase: "waiting",
          generation: 1,
          since: clock.now(),
        } as const;
        const isIn = await view.create(id, record).then(() => true, (error) => {
          if (error instanceof BrokerRefusal) return false;
          throw error;
        });
        if (isIn) break;
      }
      tally.refused();
      await clock.wait(RETRY);
    }
    while (view.session(id)?.value.phase !== "ready") await view.changed(id, 60_000);
    tally.placed(clock.now() - came);
    const leaves = clock.now() + 1000 * length;
    let isWalking = random() < WALKING / (WALKING + THINKING);
    while (clock.now() < leaves) {
      const until = Math.min(leaves, clock.now() + 1000 * exponential(isWalking ? WALKING : THINKING));
      if (!isWalking) await clock.wait(until - clock.now());
      while (isWalking && clock.now() < until) {
        const begun = clock.now();
        const worked = await move(view, id);
        const took = clock.now() - begun;
        if (worked !== undefined) tally.moved(took - worked);
        else tally.unanswered++;
        if (took < MOVE) await clock.wait(MOVE - took);
      }
      isWalking = !isWalking;
    }
    const owner = view.session(id)?.value.owner;
    if (owner && !at.get(owner.url)!.process.isDead) await at.get(owner.url)!.worker.remove(id);
    else await view.remove(id);
  };

  const watcher = tally.follow();
  for (const view of views) void view.start();
  for (let i = 0; i < workers; i++) void clock.wait(5000 * random()).then(startWorker);
  let count = 0;
  const come = (length: number): void => void visitor(count++, length);
  const fill = async (): Promise<void> => {
    await clock.wait(5000);
    const opening = 1000 * (warm - 20);
    // Who is here at a moment is half through a visit; long visits are met more often.
    const met = (): number => random() * VISIT * Math.exp(DEVIATION ** 2) * (visit() / VISIT);
    for (let i = 0; i < worlds; i++) void clock.wait(opening * random()).then(() => come(met()));
    const rate = worlds / (VISIT * Math.exp(DEVIATION ** 2 / 2)) / 1000;
    await clock.wait(opening);
    while (true) {
      const since = clock.now() - 1000 * warm;
      const isBurst = event === "burst" && since >= 0 && since < 1000 * BURST.seconds;
      await clock.wait(exponential(1 / (rate * (isBurst ? BURST.times : 1))));
      come(visit());
    }
  };
  void fill();
  const strike = async (): Promise<void> => {
    await clock.wait(1000 * warm);
    tally.begin([...at.values()].map(({ worker }) => worker));
    const all = [...at.values()];
    if (event === "zone") {
      const zone = all.slice(0, Math.ceil(all.length / 3));
      for (const { process } of zone) process.isDead = true;
      tally.lost(new Set(zone.map(({ worker }) => worker.url)));
    }
    if (event === "deploy") {
      tally.struck();
      const wave = Math.ceil(all.length / 10);
      for (let i = 0; i < all.length; i += wave) {
        const leaving = all.slice(i, i + wave);
        await Promise.all(leaving.map(startWorker));
        await Promise.all(leaving.map(({ worker }) => worker.drain()));
      }
    }
  };
  void strike();
  await virtual.run(() => false, end);
  const living = [...at.values()].filter(({ process }) => !process.isDead).length;
  tally.end([...at.values()].map(({ worker }) => worker), event === "deploy" ? workers : living);
  stop.abort();
  watcher.abort();
  return tally;
}
