import {
  BrokerRefusal,
  type Bucket,
  type ClusterBroker,
  type Entry,
  type JournalEntry,
  type SessionRecord,
  type TakenTicket,
  type Ticket,
  type TicketQueue,
  type WorkerRecord,
} from "../../../fleet/protocol/broker.ts";
import type { VirtualClock } from "./virtual_clock.ts";

/** Settings of the broker. */
export interface MemoryBrokerOptions {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly lease: number;
  readonly ackWait: number;
  /** Whether it drops messages with an id that it has seen; else a repeated append is refused. */
  readonly dropsDoubles: boolean;
  readonly lineLength: number;
  /** How long a ticket waits at most, in milliseconds; two minutes by default. */
  readonly ticketLife?: number;
}

interface Queued {
  readonly ticket: Ticket;
  readonly added: number;
  deliveries: number;
  /** When it may be handed out again. */
  free: number;
}

/** Lines by pool, and who waits for a ticket of them. */
interface Queue {
  readonly lines: Map<string, Queued[]>;
  readonly takers: Set<() => void>;
  readonly length: number;
}

class Store<T> {
  readonly entries = new Map<string, Entry<T>>();
  readonly watchers = new Set<(key: string, entry: Entry<T> | undefined) => void>();

  set(key: string, entry: Entry<T> | undefined): void {
    if (entry) this.entries.set(key, entry);
    else this.entries.delete(key);
    for (const watcher of this.watchers) watcher(key, entry);
  }
}

/** How long a ticket waits at most, and how long its id is known, in milliseconds. */
const TICKET_LIFE = 120_000;

/** What the fleet needs of a broker, in memory, with virtual time and faults. */
export class MemoryBroker {
  readonly options: MemoryBrokerOptions;
  readonly #journals = new Map<string, JournalEntry[]>();
  readonly #workers = new Store<WorkerRecord>();
  readonly #sessions = new Store<SessionRecord>();
  readonly #tickets = new Map<string, Queued[]>();
  readonly #displaced = new Map<string, Queued[]>();
  readonly #ids = new Map<string, number>();
  #sequence = 0;
  /** Calls that have reached it. */
  calls = 0;

  constructor(options: MemoryBrokerOptions) {
    this.options = options;
  }

  /** The broker, without any faults. */
  get port(): ClusterBroker {
    return {
      lease: this.options.lease,
      lineLength: this.options.lineLength,
      ackWait: this.options.ackWait,
      workers: this.#bucket(this.#workers, this.options.lease),
      sessions: this.#bucket(this.#sessions),
      journals: this.#journalStore(),
      tickets: this.#queue(this.#tickets, this.options.lineLength),
      displaced: this.#queue(this.#displaced, Infinity),
    };
  }

  #queue(lines: Map<string, Queued[]>, length: number): TicketQueue {
    const takers = new Set<() => void>();
    return {
      publish: (pool, ticket) => this.#call(() => this.#publish({ lines, takers, length }, pool, ticket)),
      take: (pool, timeout, signal) => this.#take({ lines, takers, length }, pool, timeout, signal),
    };
  }

  /** One more bucket, whose entries do not expire. */
  bucket<T>(): Bucket<T> {
    return this.#bucket(new Store<T>());
  }

  async #call<T>(work: () => T): Promise<T> {
    this.calls++;
    return await work();
  }

  #bucket<T>(store: Store<T>, life?: number): Bucket<T> {
    const { clock } = this.options;
    const call = <R>(work: () => R): Promise<R> => this.#call(work);
    const put = (key: string, value: T): number => {
      const revision = ++this.#sequence;
      store.set(key, { value, revision });
      if (life !== undefined) {
        clock.at(clock.now() + life, () => {
          if (store.entries.get(key)?.revision === revision) store.set(key, undefined);
        });
      }
      return revision;
    };
    const check = (key: string, revision: number): void => {
      if (store.entries.get(key)?.revision !== revision) throw new BrokerRefusal("conflict", "wrong last sequence");
    };
    return {
      get: (key) => call(() => store.entries.get(key)),
      create: (key, value) =>
        call(() => {
          if (store.entries.has(key)) throw new BrokerRefusal("conflict", "wrong last sequence");
          return put(key, value);
        }),
      update: (key, value, revision) =>
        call(() => {
          check(key, revision);
          return put(key, value);
        }),
      remove: (key, revision) =>
        call(() => {
          check(key, revision);
          store.set(key, undefined);
        }),
      watch: (onChange, signal) => {
        store.watchers.add(onChange);
        signal.addEventListener("abort", () => store.watchers.delete(onChange), { once: true });
        for (const [key, entry] of store.entries) onChange(key, entry);
        return Promise.resolve();
      },
    };
  }

  #journalStore(): ClusterBroker["journals"] {
    const call = <R>(work: () => R): Promise<R> => this.#call(work);
    const of = (session: string): JournalEntry[] => {
      const entries = this.#journals.get(session) ?? [];
      this.#journals.set(session, entries);
      return entries;
    };
    return {
      append: (session, data, expected, id) =>
        call(() => {
          const entries = of(session);
          const known = entries.find((entry) => entry.id === id);
          if (known && this.options.dropsDoubles) return known.sequence;
          if ((entries.at(-1)?.sequence ?? 0) !== expected) throw new BrokerRefusal("conflict", "wrong last sequence");
          const sequence = ++this.#sequence;
          entries.push({ sequence, id, data });
          return sequence;
        }),
      last: (session) => call(() => of(session).at(-1)),
      read: (session) => call(() => [...of(session)]),
      trim: (session, before) =>
        call(() => void this.#journals.set(session, of(session).filter(({ sequence }) => sequence >= before))),
      purge: (session) => call(() => void this.#journals.delete(session)),
    };
  }

  #publish({ lines, takers, length }: Queue, pool: string, ticket: Ticket): void {
    const now = this.options.clock.now();
    const id = `${ticket.session}/${ticket.generation}`;
    const seen = this.#ids.get(id);
    if (seen !== undefined && now - seen < TICKET_LIFE) return;
    const line = lines.get(pool) ?? [];
    lines.set(pool, line);
    const { ticketLife = TICKET_LIFE } = this.options;
    for (let i = line.length - 1; i >= 0; i--) if (now - line[i].added >= ticketLife) line.splice(i, 1);
    if (line.length >= length) throw new BrokerRefusal("full", "maximum messages exceeded");
    this.#ids.set(id, now);
    line.push({ ticket, added: now, deliveries: 0, free: now });
    this.#wakeTaker(takers);
  }

  /** One ticket needs one worker: thousands may wait. */
  #wakeTaker(takers: Set<() => void>): void {
    for (const wake of takers) {
      takers.delete(wake);
      return wake();
    }
  }

  /** Holds a ticket back for a while; then it is handed out if it is still there. */
  #hold(takers: Set<() => void>, line: Queued[], queued: Queued, milliseconds: number): void {
    const { clock } = this.options;
    const free = queued.free = clock.now() + milliseconds;
    clock.at(free, () => line.includes(queued) && queued.free === free && this.#wakeTaker(takers));
  }

  async #take(
    { lines, takers }: Queue,
    pool: string,
    timeout: number,
    signal: AbortSignal,
  ): Promise<TakenTicket | undefined> {
    const { clock, ackWait, ticketLife = TICKET_LIFE } = this.options;
    const end = clock.now() + timeout;
    while (!signal.aborted && clock.now() < end) {
      const now = clock.now();
      const line = lines.get(pool) ?? [];
      const next = line.find(({ free, added }) => free <= now && now - added < ticketLife);
      this.calls++;
      if (next) {
        next.deliveries++;
        this.#hold(takers, line, next, ackWait);
        const call = <T>(work: () => T): Promise<T> => this.#call(work);
        return {
          ticket: next.ticket,
          deliveries: next.deliveries,
          ack: () => call(() => void (line.includes(next) && line.splice(line.indexOf(next), 1))),
          nak: (delay) => call(() => this.#hold(takers, line, next, delay)),
          working: () => call(() => this.#hold(takers, line, next, ackWait)),
        };
      }
      const wake = new AbortController();
      const stop = (): void => wake.abort();
      takers.add(stop);
      signal.addEventListener("abort", stop, { once: true });
      await clock.wait(end - now, wake.signal);
      signal.removeEventListener("abort", stop);
      // Woken for a ticket that it can no longer take: the next one should.
      if (!takers.delete(stop) && (signal.aborted || clock.now() >= end)) this.#wakeTaker(takers);
    }
    return undefined;
  }
}
