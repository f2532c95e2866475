/**
 * The sessions of one worker: it takes tickets while it has room, and lets sessions go when it has to.
 *
 * @module
 */
import { compareAndSet, holdTicket, insist, type TicketOutcome } from "./compare_and_set.ts";
import {
  type ClusterBroker,
  type ClusterClock,
  type Entry,
  isOwnedBy,
  type JournalEntry,
  type SessionOwner,
  type SessionRecord,
  type TakenTicket,
  type TicketQueue,
} from "./broker.ts";
import { FencedError, FencedLog } from "./fenced_log.ts";
import { SessionLine } from "./session_line.ts";

/** A session that a worker has opened. */
export interface Seat {
  /**
   * Ends it here.
   *
   * @param why `moved` when it belongs to another by now: nothing may be written; `leaving` when it is to be left
   * cleanly, so that another worker can continue it.
   */
  close(why: "moved" | "leaving"): Promise<void>;
}

/** What a worker works with. */
export interface WorkerSeatsOptions {
  readonly broker: ClusterBroker;
  readonly clock: ClusterClock;
  readonly worker: string;
  readonly epoch: string;
  readonly url: string;
  readonly pool: string;
  readonly slots: number;
  /** Whether it may take sessions: its lease is sound, its model loads. */
  readonly isReady: () => boolean;
  /** Another id each time. */
  readonly newId: () => string;
  /** Makes a session again from its journal. */
  readonly open: (session: string, record: SessionRecord, log: FencedLog, entries: JournalEntry[]) => Promise<Seat>;
  /** What its first entry in a journal says. */
  readonly owner: Uint8Array;
  /** Called when the number of sessions has changed. */
  readonly onChange?: () => void;
  /** Called when a session could not be opened. */
  readonly onFailure?: (session: string, error: unknown) => void;
  /** Ends attempts to reach the broker. */
  readonly signal: AbortSignal;
}

interface Held {
  readonly log: FencedLog;
  readonly seat: Seat;
  readonly owner: SessionOwner;
}

/** How often a session is tried to be opened until it counts as failed. */
const MOST_TRIES = 5;

/** Milliseconds that a worker waits for a ticket at a time. */
const TAKE = 2000;

/** Milliseconds for which no session that has lost its worker may have come before a worker takes others. */
const HEAD_START = 50;

/** Milliseconds after which a session is tried again that could not be opened. */
const AGAIN = 1000;

/** Places sessions on a worker. */
export class WorkerSeats {
  readonly #options: WorkerSeatsOptions;
  readonly #line: SessionLine;
  readonly #held = new Map<string, Held>();
  /** Sessions that are being opened or closed, which have their slot. */
  readonly #busy = new Set<string>();
  readonly #free: (() => void)[] = [];
  /** Since when its requests for sessions that have lost their worker have returned none. */
  #asked: number | undefined;
  readonly #stop = new AbortController();
  #taking: Promise<void>[] = [];

  constructor(options: WorkerSeatsOptions) {
    this.#options = options;
    this.#line = new SessionLine(options);
  }

  /** Slots in use. */
  get used(): number {
    return new Set([...this.#held.keys(), ...this.#busy]).size;
  }

  /** Whether it accepts no more sessions. */
  get isDraining(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Takes tickets until it is drained. */
  start(): void {
    const { broker } = this.#options;
    this.#taking = [this.#take(broker.displaced, true), this.#take(broker.tickets, false)];
    void this.#reconcile();
  }

  /** Accepts no more tickets, and leaves every session to another worker. */
  async drain(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await Promise.all(this.#taking);
    await Promise.all([...this.#held.keys()].map((session) => this.leave(session, "waiting")));
  }

  /**
   * Closes a session cleanly and leaves it waiting for another worker, or for a request.
   *
   * @returns whether it was in its hands.
   */
  async leave(session: string, phase: "waiting" | "parked"): Promise<boolean> {
    const held = this.#held.get(session);
    if (!held) return false;
    await this.#close(session, held, "leaving");
    const { broker, clock, signal } = this.#options;
    const entry = await insist(clock, () => broker.sessions.get(session), signal);
    if (!entry || !isOwnedBy(entry.value, held.owner)) return true;
    if (phase === "parked") await this.#line.change(session, entry, "parked");
    else await this.#line.wait(session, entry);
    return true;
  }

  /** Closes a session that was deleted, and removes its record and journal. */
  async remove(session: string): Promise<void> {
    const held = this.#held.get(session);
    if (!held) return;
    await this.#close(session, held, "leaving");
    const { broker, clock, signal } = this.#options;
    const entry = await insist(clock, () => broker.sessions.get(session), signal);
    if (!entry || !isOwnedBy(entry.value, held.owner)) return;
    await insist(clock, () => broker.sessions.remove(session, entry.revision), signal).catch(() => {});
    await broker.journals.purge(session).catch(() => {});
  }

  /** Checks that its sessions are still its own: a worker that writes nothing is not notified otherwise. */
  async check(): Promise<void> {
    const { broker, clock, signal } = this.#options;
    for (const [session, held] of this.#held) {
      if (this.#busy.has(session)) continue; // its record is about to name this worker
      const entry = await insist(clock, () => broker.sessions.get(session), signal);
      if (!entry || !isOwnedBy(entry.value, held.owner)) await this.#lose(session, held);
    }
  }

  async #reconcile(): Promise<void> {
    const { broker, clock, signal } = this.#options;
    while (!signal.aborted) {
      await clock.wait(broker.lease, signal);
      if (!signal.aborted) await this.check().catch(() => {});
    }
  }

  async #take(queue: TicketQueue, isFirst: boolean): Promise<void> {
    const { broker, clock, pool, slots, isReady } = this.#options;
    const { signal } = this.#stop;
    const placing = new Set<Promise<void>>();
    while (!signal.aborted) {
      if (this.used >= slots) {
        if (isFirst) this.#asked = undefined;
        await new Promise<void>((resolve) => this.#free.push(resolve));
        continue;
      }
      if (!isReady()) {
        await clock.wait(100, signal);
        continue;
      }
      const now = clock.now();
      if (isFirst) this.#asked ??= now;
      const left = HEAD_START - (now - (this.#asked ?? now));
      if (!isFirst && left > 0) {
        await clock.wait(left, signal);
        continue;
      }
      const taken = await queue.take(pool, TAKE, signal).catch(() => null);
      if (isFirst && taken) this.#asked = undefined;
      if (taken === null) await clock.wait(500, signal);
      if (!taken) continue;
      const { session } = taken.ticket;
      // A session is opened once at a time here, and the other queue may have filled the last slot: then it is redelivered.
      if (signal.aborted || this.#busy.has(session) || this.used >= slots) {
        await taken.nak(500).catch(() => {});
        continue;
      }
      this.#busy.add(session);
      const onError = (error: unknown): void => this.#options.onFailure?.(session, error);
      const hold = { clock, ackWait: broker.ackWait, onError };
      const placed = holdTicket(taken, hold, () => this.#place(taken)).finally(() => {
        this.#busy.delete(session);
        placing.delete(placed);
        this.#wake();
      });
      placing.add(placed);
    }
    await Promise.all(placing);
  }

  /** Opens the session of a ticket; returns what has become of the ticket. */
  async #place({ ticket: { session, generation }, deliveries }: TakenTicket): Promise<TicketOutcome> {
    const { broker, clock, worker, epoch, url, newId, open, owner: says, signal } = this.#options;
    const entry = await insist(clock, () => broker.sessions.get(session), signal);
    // A node of the broker may be behind the one that has the ticket.
    if ((entry?.value.generation ?? 0) < generation) return deliveries >= MOST_TRIES ? "done" : AGAIN;
    if (!entry || entry.value.phase !== "waiting" || entry.value.generation !== generation) return "done";
    const old = this.#held.get(session);
    if (old) await this.#close(session, old, "moved");
    const seated: { held?: Held } = {};
    const isWanted = async (): Promise<boolean> => {
      const now = await insist(clock, () => broker.sessions.get(session), signal);
      return now?.revision === entry.revision;
    };
    const taken = await FencedLog.take({
      isWanted,
      journals: broker.journals,
      clock,
      session,
      ownerId: newId(),
      owner: says,
      onFenced: () => seated.held && void this.#fenced(session, seated.held),
      signal,
    }).catch((error) => {
      if (error instanceof FencedError) return undefined;
      throw error;
    });
    if (!taken) return "done";
    const { log, entries } = taken;
    let seat: Seat;
    try {
      seat = await open(session, entry.value, log, entries);
    } catch (error) {
      this.#options.onFailure?.(session, error);
      const isFenced = log.isFenced;
      await log.close();
      if (isFenced) return "done"; // another worker has it
      if (deliveries < MOST_TRIES) return AGAIN;
      const reason = error instanceof Error ? error.message : String(error);
      await this.#line.change(session, entry, "failed", reason);
      return "done";
    }
    const owner: SessionOwner = { worker, epoch, fence: log.fence, url };
    const held = seated.held = { log, seat, owner };
    this.#held.set(session, held);
    const { reason: _old, displaced: _waited, ...rest } = entry.value;
    const ready: SessionRecord = { ...rest, phase: "ready", since: clock.now(), owner };
    const isOurs = (found: SessionRecord): boolean => isOwnedBy(found, owner);
    const set = await compareAndSet({ bucket: broker.sessions, clock, signal }, session, entry, ready, isOurs);
    if (!set) await this.#lose(session, held);
    else if (log.isFenced) await this.#fenced(session, held);
    else if (this.#held.get(session) !== held) await this.#line.wait(session, set); // it was let go meanwhile
    else this.#options.onChange?.();
    return "done";
  }

  /** The journal belongs to another; the record may still name this worker. */
  async #fenced(session: string, held: Held): Promise<void> {
    await this.#lose(session, held);
    const { broker, clock, signal } = this.#options;
    const entry: Entry<SessionRecord> | undefined = await insist(clock, () => broker.sessions.get(session), signal)
      .catch(() => undefined);
    if (entry && isOwnedBy(entry.value, held.owner)) await this.#line.wait(session, entry);
  }

  async #lose(session: string, held: Held): Promise<void> {
    if (this.#held.get(session) === held) await this.#close(session, held, "moved");
  }

  async #close(session: string, held: Held, why: "moved" | "leaving"): Promise<void> {
    if (this.#held.get(session) !== held) return;
    const isMine = !this.#busy.has(session);
    this.#held.delete(session);
    if (isMine) this.#busy.add(session);
    // Ending a session cancels its job, which is the next owner's by now: that must not be written, fenced or not yet.
    if (why === "moved") void held.log.close();
    try {
      await held.seat.close(why).catch((error) => this.#options.onFailure?.(session, error));
      await held.log.close();
    } finally {
      if (isMine) this.#busy.delete(session);
      this.#wake();
    }
  }

  #wake(): void {
    for (const wake of this.#free.splice(0)) wake();
    this.#options.onChange?.();
  }
}
