import type { Bucket, ClusterBroker, SessionRecord, TicketQueue } from "../../../fleet/protocol/broker.ts";
import type { ModelledWorker } from "./modelled_worker.ts";

/** Kinds of messages to the broker. */
export type BrokerCall = "lease" | "sessions" | "journals" | "tickets" | "polls" | "watched";

/** A share of sorted numbers; 0 where there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Counts what happens in a fleet from a moment on. */
export class Tally {
  /** Milliseconds that moves took longer than their GPU worked on them. */
  readonly waits: number[] = [];
  /** Milliseconds until a visitor had a world. */
  readonly placements: number[] = [];
  /** Milliseconds that worlds were without a worker: from the loss of the machine, or from the drain. */
  readonly takeovers: number[] = [];
  readonly calls: Record<BrokerCall, number> = {
    lease: 0,
    sessions: 0,
    journals: 0,
    tickets: 0,
    polls: 0,
    watched: 0,
  };
  unanswered = 0;
  refusals = 0;
  longestLine = 0;
  /** Worlds at the end. */
  worlds = 0;
  /** Worlds that have lost their worker and have none yet. */
  left = 0;
  /** Share of the GPUs' time. */
  busy = 0;
  seconds = 0;
  readonly broker: ClusterBroker;
  readonly #inner: ClusterBroker;
  readonly #now: () => number;
  readonly #from: number;
  #struckAt = Infinity;
  #busyAt: { readonly all: number; readonly at: number } = { all: 0, at: 0 };
  readonly #line = new Set<string>();
  readonly #orphans = new Map<string, number>();
  readonly #owners = new Map<string, string>();

  constructor(broker: ClusterBroker, now: () => number, from: number) {
    this.#inner = broker;
    this.#now = now;
    this.#from = from;
    const count = <T>(kind: BrokerCall, result: T): T => {
      if (now() >= from) this.calls[kind]++;
      return result;
    };
    const bucket = <T>(inner: Bucket<T>, kind: BrokerCall): Bucket<T> => ({
      get: (key) => count(kind, inner.get(key)),
      create: (key, value) => count(kind, inner.create(key, value)),
      update: (key, value, revision) => count(kind, inner.update(key, value, revision)),
      remove: (key, revision) => count(kind, inner.remove(key, revision)),
      watch: (onChange, signal) => inner.watch((key, entry) => onChange(key, count("watched", entry)), signal),
    });
    const queue = (inner: TicketQueue): TicketQueue => ({
      publish: (pool, ticket) => count("tickets", inner.publish(pool, ticket)),
      take: (pool, timeout, signal) => count("polls", inner.take(pool, timeout, signal)),
    });
    const { journals } = broker;
    this.broker = {
      ...broker,
      workers: bucket(broker.workers, "lease"),
      sessions: bucket(broker.sessions, "sessions"),
      journals: {
        append: (session, data, expected, id) => count("journals", journals.append(session, data, expected, id)),
        last: (session) => count("journals", journals.last(session)),
        read: (session) => count("journals", journals.read(session)),
        trim: (session, before) => count("journals", journals.trim(session, before)),
        purge: (session) => count("journals", journals.purge(session)),
      },
      tickets: queue(broker.tickets),
      displaced: queue(broker.displaced),
    };
  }

  get #counts(): boolean {
    return this.#now() >= this.#from;
  }

  moved(wait: number): void {
    if (this.#counts) this.waits.push(Math.max(0, wait));
  }

  placed(milliseconds: number): void {
    if (this.#counts) this.placements.push(milliseconds);
  }

  refused(): void {
    if (this.#counts) this.refusals++;
  }

  /** From now on worlds leave their workers: how long each is without one counts. */
  struck(): void {
    this.#struckAt = this.#now();
  }

  begin(workers: readonly ModelledWorker[]): void {
    this.#busyAt = { all: sum(workers), at: this.#now() };
  }

  /** @param living How many GPUs there are. */
  end(workers: readonly ModelledWorker[], living: number): void {
    this.seconds = (this.#now() - this.#from) / 1000;
    this.busy = (sum(workers) - this.#busyAt.all) / (this.#now() - this.#busyAt.at) / living;
    this.worlds = this.#owners.size + this.#line.size;
    this.left = this.#orphans.size;
  }

  /** Follows the records as the broker has them. */
  follow(): AbortController {
    const stop = new AbortController();
    void this.#inner.sessions.watch((id, entry) => this.#saw(id, entry?.value), stop.signal);
    return stop;
  }

  /** The worlds of these workers are without one from now on. */
  lost(urls: ReadonlySet<string>): void {
    for (const [id, url] of this.#owners) if (urls.has(url)) this.#orphans.set(id, this.#now());
  }

  #saw(id: string, value: SessionRecord | undefined): void {
    if (value?.phase === "waiting") this.#line.add(id);
    else this.#line.delete(id);
    if (this.#counts) this.longestLine = Math.max(this.longestLine, this.#line.size);
    if (value?.phase === "waiting" && value.generation > 1 && this.#struckAt <= this.#now() && !this.#orphans.has(id)) {
      this.#orphans.set(id, this.#now());
    }
    if (value?.owner) {
      this.#owners.set(id, value.owner.url);
      const since = this.#orphans.get(id);
      if (since !== undefined) this.takeovers.push(this.#now() - since);
    } else this.#owners.delete(id);
    if (!value || value.owner) this.#orphans.delete(id);
  }
}

function sum(workers: readonly ModelledWorker[]): number {
  return workers.reduce((all, { busy }) => all + busy, 0);
}
