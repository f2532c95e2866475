import { decode, nextHash, SimulatedGateway, SimulatedWorker } from "./fleet.ts";
import { MemoryBroker } from "./memory_broker.ts";
import { Process, throughNetwork, type Weather } from "./network.ts";
import { randomFrom, VirtualClock } from "./virtual_clock.ts";
import type { ClusterBroker, ClusterClock, JournalEntry } from "../../../fleet/protocol/broker.ts";

/** Something that goes wrong at a time, for a while; in milliseconds. */
export interface Fault {
  readonly at: number;
  readonly kind:
    | "kill worker"
    | "pause worker"
    | "cut worker"
    | "drain worker"
    | "kill gateway"
    | "cut gateway"
    | "broker away";
  readonly which: number;
  readonly length: number;
}

/** Everything that a run depends on. */
export interface Schedule {
  readonly seed: number;
  readonly workers: number;
  readonly slots: number;
  readonly gateways: number;
  readonly sessions: number;
  readonly moves: number;
  /** Chances of lost and doubled messages, as shares of all. */
  readonly losses: number;
  readonly dropsDoubles: boolean;
  readonly faults: readonly Fault[];
}

const KINDS: readonly Fault["kind"][] = [
  "kill worker",
  "pause worker",
  "cut worker",
  "drain worker",
  "kill gateway",
  "cut gateway",
  "broker away",
];

const LEASE = 3000;

/** A schedule from a number. */
export function scheduleFrom(seed: number): Schedule {
  const random = randomFrom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const faults = Array.from({ length: 1 + below(8) }, (): Fault => ({
    at: 500 + below(25_000),
    kind: KINDS[below(KINDS.length)],
    which: below(8),
    length: [300, 1000, 2500, 3500, 8000][below(5)] + below(500),
  }));
  const workers = 2 + below(3);
  const slots = 1 + below(3);
  return {
    seed,
    workers,
    slots,
    gateways: 1 + below(2),
    sessions: Math.min(1 + below(4), workers * slots),
    moves: 3 + below(8),
    losses: [0, 0.005, 0.05][below(3)],
    dropsDoubles: random() < 0.5,
    faults,
  };
}

interface Running<T> {
  readonly process: Process;
  readonly role: T;
}

/** Where a schedule is played. */
export interface Stage {
  readonly clock: ClusterClock;
  /** The broker, without faults of the network. */
  readonly broker: ClusterBroker;
  /** What the names of its sessions begin with. */
  readonly prefix: string;
  /** Lets time pass until it is done, or for so many milliseconds; returns whether it is done. */
  run(isDone: () => boolean, most: number): Promise<boolean>;
}

/** A stage in memory with virtual time. */
export function memoryStage({ seed, dropsDoubles }: Schedule): Stage {
  const clock = new VirtualClock();
  const random = randomFrom(seed ^ 0xfeed);
  const broker = new MemoryBroker({ clock, random, lease: LEASE, ackWait: 2000, dropsDoubles, lineLength: 100 });
  return { clock, broker: broker.port, prefix: "s", run: (isDone, most) => clock.run(isDone, most) };
}

/** Runs a schedule; returns what was wrong. */
export async function runSchedule(schedule: Schedule, stage: Stage = memoryStage(schedule)): Promise<string[]> {
  const { seed, slots, sessions, moves, losses } = schedule;
  const { clock, broker } = stage;
  const random = randomFrom(seed ^ 0x5eed);
  const wrong: string[] = [];
  const latency = (): number => 0.2 + random() * (random() < 0.05 ? 40 : 2);
  let isCalm = false;
  const weather = (): Weather => {
    const chance = isCalm ? 0 : losses;
    return { latency, timeout: 800, lostRequest: chance, lostAnswer: chance, doubled: chance };
  };
  const network = { clock, random, weather, isAway: false };
  let epochs = 0;
  const startWorker = (name: string): Running<SimulatedWorker> => {
    const process = new Process();
    const epoch = `${stage.prefix}-${name}-${++epochs}`;
    const role = new SimulatedWorker({
      broker: throughNetwork(broker, process, network),
      clock: process.clock(clock),
      name: epoch,
      epoch,
      slots,
      generate: async () => {
        await clock.wait(20 + random() * 300);
        await process.runs();
      },
      complain: (message) => wrong.push(message),
    });
    void role.start();
    return { process, role };
  };
  const startGateway = (): Running<SimulatedGateway> & { started: Promise<void> } => {
    const process = new Process();
    const role = new SimulatedGateway(throughNetwork(broker, process, network), process.clock(clock));
    return { process, role, started: role.start() };
  };
  const workers = Array.from({ length: schedule.workers }, (_, i) => startWorker(`w${i}`));
  const gateways = Array.from({ length: schedule.gateways }, startGateway);

  const lasting = async (length: number, begin: () => void, end: () => void): Promise<void> => {
    begin();
    await clock.wait(length);
    end();
  };
  const happen = async ({ at, kind, which, length }: Fault): Promise<void> => {
    await clock.wait(at);
    const w = which % workers.length;
    const g = which % gateways.length;
    const { process } = kind.endsWith("worker") ? workers[w] : gateways[g];
    if (kind === "kill worker") {
      process.isDead = true;
      await clock.wait(length);
      workers[w].process.isDead = true; // another fault may have started one meanwhile
      workers[w] = startWorker(`w${w}`);
    } else if (kind === "drain worker") {
      const { role } = workers[w];
      if (role.isDraining || process.isDead) return;
      await role.drain();
      process.isDead = true;
      workers[w] = startWorker(`w${w}`);
    } else if (kind === "kill gateway") {
      process.isDead = true;
      await clock.wait(length);
      gateways[g].process.isDead = true;
      gateways[g] = startGateway();
    } else if (kind === "pause worker") {
      await lasting(length, () => process.isPaused = true, () => process.resume());
    } else if (kind === "broker away") {
      await lasting(length, () => network.isAway = true, () => network.isAway = false);
    } else {
      await lasting(length, () => process.isCut = true, () => process.isCut = false);
    }
  };
  const faults = Promise.all(schedule.faults.map(happen)).then(() => isCalm = true);

  /** A request over the network from a gateway to a worker. */
  const ask = async (url: string, gateway: Process, moved: AbortSignal, session: string, key: string) => {
    await clock.wait(latency());
    const worker = workers.find(({ role }) => role.url === url);
    if (!worker || worker.process.isDead || random() < losses) return undefined;
    const answer = worker.process.runs().then(() => worker.role.move(session, key));
    const ended = new Promise<undefined>((resolve) => {
      const dies = async (): Promise<void> => {
        while (!moved.aborted && !worker.process.isDead) await clock.wait(100, moved);
        resolve(undefined);
      };
      void dies();
    });
    const found = await Promise.race([answer, ended]);
    await clock.wait(latency());
    await gateway.runs();
    return random() < losses && !isCalm ? undefined : found;
  };
  const hashes = new Map<string, string[]>();
  const client = async (session: string): Promise<void> => {
    const own: string[] = [];
    hashes.set(session, own);
    for (let i = 0, isOpen = false; i < moves;) {
      const gateway = gateways[Math.floor(random() * gateways.length)];
      const work = async (): Promise<string | undefined> => {
        await gateway.started;
        if (!isOpen) {
          await gateway.role.open(session).catch(() => {});
          isOpen = true;
        }
        return await gateway.role.move(
          session,
          (owner, moved) => ask(owner.url, gateway.process, moved, session, `m${i}`),
        );
      };
      // A client whose gateway is gone asks another one after a while.
      const gone = (async () => {
        while (!gateway.process.isDead) await clock.wait(200);
      })();
      const hash = await Promise.race([work().catch(() => undefined), gone]);
      if (hash === undefined) {
        if (!await broker.sessions.get(session)) isOpen = false;
        await clock.wait(100);
        continue;
      }
      own.push(hash);
      i++;
      await clock.wait(random() * 1500);
    }
  };
  let isDone = false;
  const names = Array.from({ length: sessions }, (_, i) => `${stage.prefix}${i}`);
  const work = Promise.all([...names.map(client), faults]).then(() => isDone = true);
  work.catch((error) => {
    wrong.push(`a client failed: ${error}`);
    isDone = true;
  });
  const ended = await stage.run(() => isDone, 600_000);
  if (!ended) {
    for (const name of names) {
      const done = hashes.get(name)?.length ?? 0;
      if (done < moves) wrong.push(`${name} got ${done} of ${moves} moves`);
    }
  }
  for (const name of names) {
    const expected: string[] = [];
    for (let i = 0; i < moves; i++) expected.push(nextHash(expected.at(-1) ?? "", `m${i}`));
    const own = hashes.get(name) ?? [];
    own.forEach((hash, i) => {
      if (hash !== expected[i]) wrong.push(`${name} move ${i} is ${hash}, expected ${expected[i]}`);
    });
    wrong.push(...journalErrors(name, await broker.journals.read(name), expected));
  }
  for (const { process, role } of workers) {
    process.isDead = true;
    role.stop();
  }
  for (const { process, role } of gateways) {
    process.isDead = true;
    role.stop();
  }
  return wrong;
}

/** One owner writes between two owners' entries; a key is accepted and done once, in order. */
function journalErrors(session: string, entries: readonly JournalEntry[], expected: readonly string[]): string[] {
  const wrong: string[] = [];
  let owner = "";
  const seen = new Set<string>();
  let count = 0;
  for (const raw of entries) {
    const entry = decode(raw);
    if (entry.type === "owner") {
      owner = entry.worker;
      continue;
    }
    if (entry.by !== owner) wrong.push(`${session}: ${entry.by} wrote while ${owner} was the owner`);
    const id = `${entry.type} ${entry.key}`;
    if (seen.has(id)) wrong.push(`${session}: ${id} twice`);
    seen.add(id);
    if (entry.type === "done" && entry.hash !== expected[count++]) wrong.push(`${session}: ${id} has a wrong state`);
  }
  return wrong;
}

/** The fewest faults of a failing schedule that still fail it. */
export async function shrink(schedule: Schedule): Promise<Schedule> {
  let small = schedule;
  for (let i = 0; i < small.faults.length;) {
    const fewer = { ...small, faults: small.faults.filter((_, at) => at !== i) };
    if ((await runSchedule(fewer)).length > 0) small = fewer;
    else i++;
  }
  return small;
}
