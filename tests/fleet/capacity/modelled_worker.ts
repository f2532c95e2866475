import type { ClusterBroker, ClusterClock, WorkerRecord } from "../../../fleet/protocol/broker.ts";
import type { FencedLog } from "../../../fleet/protocol/fenced_log.ts";
import { WorkerLease } from "../../../fleet/protocol/worker_lease.ts";
import { WorkerSeats } from "../../../fleet/protocol/worker_seats.ts";

/** Options of a worker in the model. */
export interface ModelledWorkerOptions {
  readonly broker: ClusterBroker;
  readonly clock: ClusterClock;
  readonly name: string;
  readonly slots: number;
  /** Milliseconds of its GPU for a block of a move. */
  readonly block: number;
  /** Blocks of a move. */
  readonly blocks: number;
  /** Milliseconds of its GPU for opening a world: a new one, or one that is made again. */
  readonly restore: (isNew: boolean) => number;
}

const NOTHING = new Uint8Array();

/** A worker with the real lease, seats and journals; its GPU is a queue of blocks. */
export class ModelledWorker {
  readonly url: string;
  readonly #options: ModelledWorkerOptions;
  readonly #logs = new Map<string, { readonly log: FencedLog; tail: Promise<unknown> }>();
  readonly #lease: WorkerLease;
  readonly #seats: WorkerSeats;
  readonly #stop = new AbortController();
  #gpu: Promise<void> = Promise.resolve();
  #kept: Promise<void> = Promise.resolve();
  /** Milliseconds that its GPU has worked. */
  busy = 0;

  constructor(options: ModelledWorkerOptions) {
    const { broker, clock, name, slots, restore } = options;
    this.#options = options;
    this.url = `http://${name}`;
    const at = { worker: name, epoch: name, url: this.url, pool: "default", slots };
    const record = (): WorkerRecord => ({
      ...at,
      fingerprint: "one",
      used: this.#seats.used,
      draining: this.#seats.isDraining,
      version: "1",
    });
    this.#lease = new WorkerLease({ workers: broker.workers, clock, worker: name, lease: broker.lease, record });
    let ids = 0;
    this.#seats = new WorkerSeats({
      broker,
      clock,
      ...at,
      isReady: () => this.#lease.isSound,
      newId: () => `${name}-${ids++}`,
      owner: NOTHING,
      open: async (session, _record, log, entries) => {
        await this.#generate(restore(entries.length === 0));
        const seat = { log, tail: Promise.resolve() };
        this.#logs.set(session, seat);
        return {
          close: async () => {
            if (this.#logs.get(session) === seat) this.#logs.delete(session);
            await seat.tail;
          },
        };
      },
      onChange: () => this.#lease.changed(),
      signal: this.#stop.signal,
    });
  }

  /** Milliseconds of its GPU for a move. */
  get ofMove(): number {
    return this.#options.block * this.#options.blocks;
  }

  async start(): Promise<void> {
    await this.#lease.register(this.#stop.signal);
    this.#kept = this.#lease.keep(this.#stop.signal);
    this.#seats.start();
  }

  /** Generates a move; false when it does not have the session. */
  move(session: string): Promise<boolean> {
    const seat = this.#logs.get(session);
    if (!seat || !this.#lease.isSound) return Promise.resolve(false);
    const { block, blocks } = this.#options;
    const done = seat.tail.then(async () => {
      await seat.log.append(NOTHING);
      for (let i = 0; i < blocks; i++) await this.#generate(block);
      await seat.log.append(NOTHING);
    });
    seat.tail = done.catch(() => {});
    return done.then(() => true, () => false);
  }

  /** Ends a session for good. */
  async remove(session: string): Promise<void> {
    await this.#seats.remove(session);
  }

  /** Leaves cleanly. */
  async drain(): Promise<void> {
    await this.#seats.drain();
    this.#stop.abort();
    await this.#kept;
    await this.#lease.leave();
  }

  #generate(milliseconds: number): Promise<void> {
    return this.#gpu = this.#gpu.then(async () => {
      await this.#options.clock.wait(milliseconds);
      this.busy += milliseconds;
    });
  }
}
