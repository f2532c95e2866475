import type {
  ClusterBroker,
  ClusterClock,
  JournalEntry,
  SessionOwner,
  SessionRecord,
  WorkerRecord,
} from "../../../fleet/protocol/broker.ts";
import type { FencedLog } from "../../../fleet/protocol/fenced_log.ts";
import { FleetView } from "../../../fleet/protocol/fleet_view.ts";
import { routeToOwner } from "../../../fleet/protocol/session_router.ts";
import { WorkerLease } from "../../../fleet/protocol/worker_lease.ts";
import { WorkerSeats } from "../../../fleet/protocol/worker_seats.ts";

/** What a move leaves in a journal. */
export type MoveEntry =
  | { readonly type: "owner"; readonly worker: string }
  | { readonly type: "move"; readonly key: string; readonly by: string }
  | { readonly type: "done"; readonly key: string; readonly hash: string; readonly by: string };

export const encode = (entry: MoveEntry): Uint8Array => new TextEncoder().encode(JSON.stringify(entry));
export const decode = ({ data }: JournalEntry): MoveEntry => JSON.parse(new TextDecoder().decode(data));

/** The state of a world after one more move: depends on all before. */
export function nextHash(before: string, key: string): string {
  let hash = 0x811c9dc5;
  for (const character of `${before}/${key}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return hash.toString(16);
}

/** A world whose moves take time and leave their hash. */
class SimulatedWorld {
  readonly #log: FencedLog;
  readonly #by: string;
  readonly #generate: () => Promise<void>;
  readonly #done = new Map<string, string>();
  readonly #accepted = new Set<string>();
  #state = "";
  #tail: Promise<unknown> = Promise.resolve();
  isClosed = false;

  constructor(log: FencedLog, by: string, generate: () => Promise<void>) {
    this.#log = log;
    this.#by = by;
    this.#generate = generate;
  }

  /** Makes the moves again that a journal has, and ends the one that has no end. */
  async restore(entries: readonly JournalEntry[]): Promise<void> {
    const all = entries.map(decode);
    const ended = new Map(all.flatMap((entry) => entry.type === "done" ? [[entry.key, entry.hash] as const] : []));
    for (const entry of all) {
      if (entry.type !== "move") continue;
      this.#accepted.add(entry.key);
      const hash = ended.get(entry.key);
      if (hash === undefined) {
        await this.#finish(entry.key);
        continue;
      }
      this.#state = nextHash(this.#state, entry.key);
      if (this.#state !== hash) throw new Error(`Move ${entry.key} comes out differently`);
      this.#done.set(entry.key, hash);
    }
  }

  move(key: string): Promise<string> {
    const done = this.#tail.then(async () => {
      if (this.isClosed) throw new Error("closed");
      const known = this.#done.get(key);
      if (known !== undefined) return known;
      if (!this.#accepted.has(key)) {
        await this.#log.append(encode({ type: "move", key, by: this.#by }));
        this.#accepted.add(key);
      }
      return await this.#finish(key);
    });
    this.#tail = done.catch(() => {});
    return done;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.#tail;
  }

  async #finish(key: string): Promise<string> {
    await this.#generate();
    const hash = nextHash(this.#state, key);
    await this.#log.append(encode({ type: "done", key, hash, by: this.#by }));
    this.#state = hash;
    this.#done.set(key, hash);
    return hash;
  }
}

/** Settings of a simulated worker. */
export interface SimulatedWorkerOptions {
  readonly broker: ClusterBroker;
  readonly clock: ClusterClock;
  readonly name: string;
  readonly epoch: string;
  readonly slots: number;
  readonly generate: () => Promise<void>;
  /** Called when something is wrong. */
  readonly complain: (message: string) => void;
}

/** A worker: the real lease and the real seats around simulated worlds. */
export class SimulatedWorker {
  readonly name: string;
  readonly url: string;
  readonly seats: WorkerSeats;
  readonly #lease: WorkerLease;
  readonly #worlds = new Map<string, SimulatedWorld>();
  readonly #stop = new AbortController();
  #ids = 0;
  #kept: Promise<void> = Promise.resolve();

  constructor(options: SimulatedWorkerOptions) {
    const { broker, clock, name, epoch, slots, generate, complain } = options;
    this.name = name;
    this.url = `http://${epoch}`;
    const record = (): WorkerRecord => ({
      epoch,
      url: this.url,
      pool: "default",
      fingerprint: "one",
      slots,
      used: this.seats.used,
      draining: this.seats.isDraining,
      version: "1",
    });
    this.#lease = new WorkerLease({
      workers: broker.workers,
      clock,
      worker: name,
      lease: broker.lease,
      record,
      onLapse: () => void this.seats.check().catch(() => {}),
    });
    this.seats = new WorkerSeats({
      broker,
      clock,
      worker: name,
      epoch,
      url: this.url,
      pool: "default",
      slots,
      isReady: () => this.#lease.isSound,
      newId: () => `${epoch}-${this.#ids++}`,
      owner: encode({ type: "owner", worker: epoch }),
      open: async (session, _record, log, entries) => {
        const world = new SimulatedWorld(log, epoch, generate);
        await world.restore(entries);
        this.#worlds.set(session, world);
        return {
          close: async () => {
            if (this.#worlds.get(session) === world) this.#worlds.delete(session);
            await world.close();
          },
        };
      },
      onChange: () => {
        if (this.seats.used > slots) complain(`${name} has ${this.seats.used} sessions in ${slots} slots`);
      },
      signal: this.#stop.signal,
    });
  }

  async start(): Promise<void> {
    await this.#lease.register(this.#stop.signal);
    this.#kept = this.#lease.keep(this.#stop.signal);
    this.seats.start();
  }

  /** Answers a move of a session; undefined when it does not have the session. */
  async move(session: string, key: string): Promise<string | undefined> {
    const world = this.#worlds.get(session);
    if (!world || world.isClosed || !this.#lease.isSound) return undefined;
    return await world.move(key).catch(() => undefined);
  }

  /** Leaves cleanly. */
  async drain(): Promise<void> {
    await this.seats.drain();
    this.#stop.abort();
    await this.#kept;
    await this.#lease.leave();
  }

  /** Whether it is leaving. */
  get isDraining(): boolean {
    return this.seats.isDraining;
  }

  /** Ends its loops. */
  stop(): void {
    this.#stop.abort();
  }
}

/** A gateway: the real view and the real routing. */
export class SimulatedGateway {
  readonly view: FleetView;
  readonly #clock: ClusterClock;
  readonly #stop = new AbortController();

  constructor(broker: ClusterBroker, clock: ClusterClock) {
    this.#clock = clock;
    this.view = new FleetView({ broker, clock, signal: this.#stop.signal });
  }

  async start(): Promise<void> {
    await this.view.start();
  }

  stop(): void {
    this.#stop.abort();
  }

  async open(session: string): Promise<void> {
    const record: SessionRecord = {
      pool: "default",
      tenant: "one",
      created_at: "2026-01-01T00:00:00.000Z",
      phase: "waiting",
      generation: 1,
      since: this.#clock.now(),
    };
    await this.view.create(session, record);
  }

  /** Undefined when no worker has answered in time. */
  async move(
    session: string,
    ask: (owner: SessionOwner, moved: AbortSignal) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const routed = await routeToOwner({ view: this.view, clock: this.#clock, session, timeout: 60_000, ask });
    return "answer" in routed ? routed.answer : undefined;
  }
}
