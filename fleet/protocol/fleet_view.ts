/**
 * A gateway's view of the fleet, and what it does about workers that are gone.
 *
 * @module
 */
import {
  BrokerRefusal,
  type ClusterBroker,
  type ClusterClock,
  type Entry,
  type SessionRecord,
  type WorkerRecord,
} from "./broker.ts";
import { SessionLine, WaitingSessions } from "./session_line.ts";

/** What a gateway works with. */
export interface FleetViewOptions {
  readonly broker: ClusterBroker;
  readonly clock: ClusterClock;
  /** Called when a session was taken from a worker that is gone. */
  readonly onTakeover?: (session: string, worker: string) => void;
  /** Looks only, and takes no session from a worker that is gone. */
  readonly watchOnly?: boolean | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** How long a worker whose entry is gone may take to make it again, in milliseconds: the broker may have been away. */
const GRACE = 500;

/** Milliseconds after which a session that waits gets another ticket: those of the broker expire a little earlier. */
export const TICKET_AGE = 120_000;

/** Copies of the two buckets, kept up to date; and the sweep by which nothing is forgotten. */
export class FleetView {
  readonly #options: FleetViewOptions;
  readonly #line: SessionLine;
  readonly #sessions = new Map<string, Entry<SessionRecord>>();
  readonly #workers = new Map<string, Entry<WorkerRecord>>();
  readonly #waiting = new WaitingSessions();
  readonly #byWorker = new Map<string, Set<string>>();
  readonly #listeners = new Map<string, Set<() => void>>();
  /** When a worker was first missed, by its name and epoch. */
  readonly #missed = new Map<string, number>();
  /** Since when a session has been seen waiting: its record may come from a machine with another clock. */
  #waits: ReadonlyMap<string, { readonly revision: number; readonly since: number }> = new Map();

  constructor(options: FleetViewOptions) {
    this.#options = options;
    this.#line = new SessionLine(options);
  }

  /** Reads everything, and follows all changes. */
  async start(): Promise<void> {
    const { broker, signal } = this.#options;
    await broker.workers.watch((worker, entry) => this.#sawWorker(worker, entry), signal);
    await broker.sessions.watch((session, entry) => this.#sawSession(session, entry), signal);
    if (!this.#options.watchOnly) void this.#sweep();
  }

  /** A session; undefined when this gateway has not seen it. */
  session(id: string): Entry<SessionRecord> | undefined {
    return this.#sessions.get(id);
  }

  /** Reads a session from the broker: another gateway may have just made it. */
  async find(id: string): Promise<Entry<SessionRecord> | undefined> {
    const known = this.#sessions.get(id);
    if (known) return known;
    const entry = await this.#options.broker.sessions.get(id);
    if (entry) this.#sawSession(id, entry);
    return entry;
  }

  /** All sessions by their ids. */
  get sessions(): ReadonlyMap<string, Entry<SessionRecord>> {
    return this.#sessions;
  }

  /** All workers that live, by their names. */
  get workers(): ReadonlyMap<string, Entry<WorkerRecord>> {
    return this.#workers;
  }

  /** How many sessions of its pool are ahead of it in the queue; 0 for one that does not wait. */
  ahead(id: string): number {
    const own = this.#sessions.get(id)?.value;
    return own?.phase === "waiting" ? this.#waiting.ahead(id, own) : 0;
  }

  /** Sessions in the queue of a pool: those that have lost their worker are not in it. */
  waiting(pool: string): number {
    return this.#waiting.inLine(pool);
  }

  /** Resolves when a session has changed, after `timeout` milliseconds, or when `signal` aborts. */
  async changed(id: string, timeout: number, signal?: AbortSignal): Promise<void> {
    const wake = new AbortController();
    const stop = (): void => wake.abort();
    const off = this.onChange(id, stop);
    signal?.addEventListener("abort", stop, { once: true });
    if (!signal?.aborted) await this.#options.clock.wait(timeout, wake.signal);
    signal?.removeEventListener("abort", stop);
    off();
  }

  /** Calls `listener` on every change of a session; returns what ends it. */
  onChange(id: string, listener: () => void): () => void {
    const all = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, all.add(listener));
    return () => {
      all.delete(listener);
      if (all.size === 0 && this.#listeners.get(id) === all) this.#listeners.delete(id);
    };
  }

  /**
   * Makes a session that waits for a worker.
   *
   * @throws {BrokerRefusal} `conflict` when there is one with this id, `full` when the queue is full.
   */
  async create(id: string, record: SessionRecord): Promise<Entry<SessionRecord>> {
    const { broker } = this.#options;
    const revision = await broker.sessions.create(id, record);
    const entry = { value: record, revision };
    this.#sawSession(id, entry);
    try {
      await this.#line.publish(id, record);
    } catch (error) {
      // The sweep adds the ticket: it may be there, or those of sessions that are gone have its place.
      const isFull = error instanceof BrokerRefusal && error.reason === "full";
      if (!isFull || this.#waiting.inLines <= broker.lineLength) return entry;
      await broker.sessions.remove(id, revision);
      this.#sawSession(id, undefined);
      throw error;
    }
    return entry;
  }

  /** Lets a parked session, or one that has failed, wait for a worker. */
  async resume(id: string): Promise<void> {
    const entry = this.#sessions.get(id);
    if (!entry || entry.value.phase !== "parked" && entry.value.phase !== "failed") return;
    const next = await this.#line.wait(id, entry);
    if (next) this.#sawSession(id, next);
  }

  /** Removes a session that has no worker; returns whether it has. */
  async remove(id: string): Promise<boolean> {
    const entry = await this.#options.broker.sessions.get(id);
    if (!entry) return true;
    if (entry.value.phase === "ready") return false;
    try {
      await this.#options.broker.sessions.remove(id, entry.revision);
    } catch (error) {
      if (error instanceof BrokerRefusal) return false;
      throw error;
    }
    this.#sawSession(id, undefined);
    await this.#options.broker.journals.purge(id).catch(() => {});
    return true;
  }

  #sawWorker(worker: string, entry: Entry<WorkerRecord> | undefined): void {
    if (entry) this.#workers.set(worker, entry);
    else this.#workers.delete(worker);
    const { clock, watchOnly, signal } = this.#options;
    if (watchOnly) return;
    const lost = (): string[] => [...this.#byWorker.get(worker) ?? []].filter((id) => this.#isOrphan(id));
    if (lost().length === 0) return;
    void clock.wait(GRACE, signal).then(async () => {
      for (const id of lost()) await this.#takeOver(id);
    });
  }

  #sawSession(id: string, entry: Entry<SessionRecord> | undefined): void {
    const before = this.#sessions.get(id);
    // News may overtake each other.
    if (before && entry && entry.revision <= before.revision) return;
    if (before?.value.owner) {
      const { worker } = before.value.owner;
      const all = this.#byWorker.get(worker);
      all?.delete(id);
      if (all?.size === 0) this.#byWorker.delete(worker);
    }
    this.#waiting.changed(id, before?.value, entry?.value);
    if (entry) this.#sessions.set(id, entry);
    else this.#sessions.delete(id);
    const owner = entry?.value.owner?.worker;
    if (owner !== undefined) this.#byWorker.set(owner, (this.#byWorker.get(owner) ?? new Set()).add(id));
    for (const listener of [...this.#listeners.get(id) ?? []]) listener();
  }

  #isOrphan(id: string): boolean {
    const value = this.#sessions.get(id)?.value;
    if (value?.phase !== "ready" || !value.owner) return false;
    return this.#workers.get(value.owner.worker)?.value.epoch !== value.owner.epoch;
  }

  async #takeOver(id: string): Promise<void> {
    const { onTakeover, signal } = this.#options;
    const entry = this.#sessions.get(id);
    if (signal.aborted || !entry || !this.#isOrphan(id)) return;
    const next = await this.#line.wait(id, entry).catch(() => undefined);
    if (!next) return;
    onTakeover?.(id, entry.value.owner!.worker);
    this.#sawSession(id, next);
  }

  /** Recovers sessions whose worker is gone without notice, and tickets that are lost. */
  async #sweep(): Promise<void> {
    const { broker, clock, signal } = this.#options;
    const pause = broker.lease / 2;
    while (!signal.aborted) {
      await clock.wait(pause, signal);
      if (signal.aborted) return;
      const now = clock.now();
      const missed = new Set<string>();
      for (const [worker, ids] of this.#byWorker) {
        const orphans = [...ids].filter((id) => this.#isOrphan(id));
        if (orphans.length === 0) continue;
        missed.add(worker);
        const since = this.#missed.get(worker) ?? now;
        this.#missed.set(worker, since);
        if (now - since >= broker.lease) { for (const id of orphans) await this.#takeOver(id); }
      }
      for (const worker of this.#missed.keys()) if (!missed.has(worker)) this.#missed.delete(worker);
      const waits = new Map(this.#stillWaiting(now));
      this.#waits = waits;
      for (const [id, { revision, since }] of waits) {
        const entry = this.#sessions.get(id);
        if (entry?.revision !== revision || signal.aborted) continue;
        const age = now - since;
        if (age < pause) continue;
        // The broker drops a ticket that it has; one that has expired there is made for a new generation.
        if (age < TICKET_AGE) await this.#line.publish(id, entry.value).catch(() => {});
        else await this.#line.wait(id, entry).catch(() => {});
      }
    }
  }

  *#stillWaiting(now: number): Generator<readonly [string, { readonly revision: number; readonly since: number }]> {
    for (const [id, { value, revision }] of this.#sessions) {
      if (value.phase !== "waiting") continue;
      const known = this.#waits.get(id);
      yield [id, { revision, since: known?.revision === revision ? known.since : now }];
    }
  }
}
