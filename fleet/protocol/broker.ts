/**
 * What the fleet needs of a message broker, and the records that its roles keep there. Every call may fail after it has
 * taken effect: only a {@linkcode BrokerRefusal} says that it has not.
 *
 * @module
 */

/** The broker has looked at a write and refused it. */
export class BrokerRefusal extends Error {
  override name = "BrokerRefusal";
  /** `conflict` when something else was written before, `full` when a queue is full. */
  readonly reason: "conflict" | "full";

  constructor(reason: "conflict" | "full", message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A value with the number of its revision. */
export interface Entry<T> {
  readonly value: T;
  readonly revision: number;
}

/** Values by keys, each changed by compare and set. */
export interface Bucket<T> {
  get(key: string): Promise<Entry<T> | undefined>;
  /** Writes a key that is absent; returns its revision. */
  create(key: string, value: T): Promise<number>;
  /** Writes a key whose newest revision is `revision`. */
  update(key: string, value: T, revision: number): Promise<number>;
  /** Removes a key whose newest revision is `revision`. */
  remove(key: string, revision: number): Promise<void>;
  /**
   * Calls `onChange` for every entry and every later change, without a value when one is removed or expires. Resolves
   * when the present entries have been passed on; continues until `signal` aborts.
   */
  watch(onChange: (key: string, entry: Entry<T> | undefined) => void, signal: AbortSignal): Promise<void>;
}

/** A ticket in the hands of one worker. */
export interface TakenTicket {
  readonly ticket: Ticket;
  /** How often it was handed out, this time included. */
  readonly deliveries: number;
  /** Removes it from the queue permanently. */
  ack(): Promise<void>;
  /** Returns it to the queue for another worker after `delay` milliseconds. */
  nak(delay: number): Promise<void>;
  /** Keeps it from being handed out again for another period. */
  working(): Promise<void>;
}

/** Tickets of sessions that wait for a worker, by pool. */
export interface TicketQueue {
  /** Adds a ticket; one that was added before is dropped. */
  publish(pool: string, ticket: Ticket): Promise<void>;
  /** The next ticket of a pool; undefined when none comes within `timeout` milliseconds or `signal` aborts. */
  take(pool: string, timeout: number, signal: AbortSignal): Promise<TakenTicket | undefined>;
}

/** An entry of a journal. */
export interface JournalEntry {
  /** Grows from entry to entry; 0 stands for an empty journal. */
  readonly sequence: number;
  /** The id that it was appended with. */
  readonly id: string;
  readonly data: Uint8Array;
}

/** Journals of sessions. */
export interface JournalStore {
  /** Appends behind the entry with the sequence `expected`, and nowhere else; returns the new sequence. */
  append(session: string, data: Uint8Array, expected: number, id: string): Promise<number>;
  /** The last entry; undefined when there is none. */
  last(session: string): Promise<JournalEntry | undefined>;
  /** All entries, the oldest first. */
  read(session: string): Promise<JournalEntry[]>;
  /** Removes the entries before a sequence. */
  trim(session: string, before: number): Promise<void>;
  /** Removes a journal. */
  purge(session: string): Promise<void>;
}

/** Everything that the roles of a fleet share. */
export interface ClusterBroker {
  readonly workers: Bucket<WorkerRecord>;
  readonly sessions: Bucket<SessionRecord>;
  readonly tickets: TicketQueue;
  /** Tickets of sessions that have lost their worker: without a limit, and taken first. */
  readonly displaced: TicketQueue;
  readonly journals: JournalStore;
  /** Tickets that {@linkcode tickets} takes, those of sessions included that are gone and that no worker has taken yet. */
  readonly lineLength: number;
  /** Milliseconds after which a worker that does not renew its entry has lost it. */
  readonly lease: number;
  /** Milliseconds after which an unacknowledged ticket is handed out again. */
  readonly ackWait: number;
}

/** Time. */
export interface ClusterClock {
  /** Milliseconds; only differences count. */
  now(): number;
  /** Resolves after a while, or as soon as `signal` aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** A worker that lives: its entry expires when it does not renew it. */
export interface WorkerRecord {
  /** Another one for every process. */
  readonly epoch: string;
  /** Where its HTTP server listens. */
  readonly url: string;
  readonly pool: string;
  /** What its model computes: only the same makes the same again. */
  readonly fingerprint: string;
  readonly slots: number;
  readonly used: number;
  /** Whether it accepts no more sessions. */
  readonly draining: boolean;
  readonly version: string;
}

/** What a session waits for or does. */
export type PlacedPhase = "waiting" | "ready" | "parked" | "failed";

/** A session of the fleet. */
export interface SessionRecord {
  readonly pool: string;
  readonly tenant: string;
  readonly name?: string;
  readonly created_at: string;
  /** Hash of the request that opened it, where that had an Idempotency-Key. */
  readonly request?: string;
  readonly phase: PlacedPhase;
  /** Counts its placements; a ticket is for one of them. */
  readonly generation: number;
  /** When it began to wait or was placed, in milliseconds since 1970. */
  readonly since: number;
  /** Who has it; present while it is ready. */
  readonly owner?: SessionOwner;
  /** Why it failed. */
  readonly reason?: string;
  /** Whether its worker was lost or left: then it waits ahead of the queue, without counting towards its limit. */
  readonly displaced?: boolean;
}

/** The worker of a session. */
export interface SessionOwner {
  readonly worker: string;
  /** Epoch of the worker. */
  readonly epoch: string;
  /** Sequence of the journal's entry by which it took the session: the higher one is the newer. */
  readonly fence: number;
  readonly url: string;
}

/** Asks for a worker for one generation of a session. */
export interface Ticket {
  readonly session: string;
  readonly generation: number;
}

/** Whether a session is in the hands of this owner. */
export function isOwnedBy(record: SessionRecord, owner: Pick<SessionOwner, "worker" | "epoch" | "fence">): boolean {
  const is = record.owner;
  return record.phase === "ready" && is !== undefined && is.worker === owner.worker && is.epoch === owner.epoch &&
    is.fence === owner.fence;
}
