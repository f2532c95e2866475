/**
 * What the fleet needs of a message broker. Every call may fail after it has taken effect: only an
 * {@linkcode BrokerRefusal} says that it has not.
 *
 * @module
 */
import type { SessionRecord, Ticket, WorkerRecord } from "./records.ts";

/** The broker has looked at a write and refused it. */
export class BrokerRefusal extends Error {
  override name = "BrokerRefusal";
  /** `conflict` when something else was written before, `full` when a queue takes no more. */
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
   * when the present entries have been passed on; goes on until `signal` aborts.
   */
  watch(onChange: (key: string, entry: Entry<T> | undefined) => void, signal: AbortSignal): Promise<void>;
}

/** A ticket in the hands of one worker. */
export interface TakenTicket {
  readonly ticket: Ticket;
  /** How often it was handed out, this time included. */
  readonly deliveries: number;
  /** Takes it out of the queue for good. */
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
  /** Milliseconds after which a ticket is handed out again that nobody has answered for. */
  readonly ackWait: number;
}

/** Time. */
export interface ClusterClock {
  /** Milliseconds; only differences count. */
  now(): number;
  /** Resolves after a while, or as soon as `signal` aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
