/**
 * The queue for a worker: how sessions enter it, and in which order they wait.
 *
 * @module
 */
import { compareAndSet } from "./compare_and_set.ts";
import type { ClusterBroker, ClusterClock, Entry, PlacedPhase, SessionRecord } from "./broker.ts";

/** What it works with. */
interface SessionLineOptions {
  readonly broker: Pick<ClusterBroker, "sessions" | "tickets" | "displaced">;
  readonly clock: ClusterClock;
  /** Ends attempts to reach the broker. */
  readonly signal?: AbortSignal | undefined;
}

/** The queue of waiting sessions; every gateway and every worker may add one, and one of them succeeds. */
export class SessionLine {
  readonly #options: SessionLineOptions;

  constructor(options: SessionLineOptions) {
    this.#options = options;
  }

  /**
   * Takes a session from its owner and lets it wait for another, with a ticket.
   *
   * @returns the entry; undefined when another one has changed it before.
   */
  async wait(session: string, before: Entry<SessionRecord>): Promise<Entry<SessionRecord> | undefined> {
    const entry = await this.change(session, before, "waiting");
    if (entry) await this.publish(session, entry.value).catch(() => {}); // the sweep makes up for one that is lost
    return entry;
  }

  /** Takes a session from its owner; `parked` waits for a request, `failed` for nothing. */
  async change(
    session: string,
    { value, revision }: Entry<SessionRecord>,
    phase: Exclude<PlacedPhase, "ready">,
    reason?: string,
  ): Promise<Entry<SessionRecord> | undefined> {
    const { broker, clock, signal } = this.#options;
    const { owner: _left, reason: _old, displaced: _before, ...rest } = value;
    const generation = value.generation + 1;
    const isDisplaced = phase === "waiting" && (value.phase === "ready" || value.displaced === true);
    const next: SessionRecord = {
      ...rest,
      phase,
      generation,
      since: clock.now(),
      ...(reason && { reason }),
      ...(isDisplaced && { displaced: true }),
    };
    const isOurs = (found: SessionRecord): boolean => found.generation === generation && found.phase === phase;
    return await compareAndSet({ bucket: broker.sessions, clock, signal }, session, { value, revision }, next, isOurs);
  }

  /** Adds the ticket of a session that waits; the broker drops a second one. */
  async publish(session: string, { pool, generation, displaced }: SessionRecord): Promise<void> {
    const { broker } = this.#options;
    await (displaced ? broker.displaced : broker.tickets).publish(pool, { session, generation });
  }
}

/** A view of the queues of all pools; there may be many sessions, of which few wait. */
export class WaitingSessions {
  /** Records of waiting sessions by their ids, by pool. */
  readonly #pools = new Map<string, Map<string, SessionRecord>>();
  /** How many of a pool wait for their first worker. */
  readonly #new = new Map<string, number>();

  /** Takes note of a change: `before` and `after` are the records of a session, undefined where there is none. */
  changed(id: string, before: SessionRecord | undefined, after: SessionRecord | undefined): void {
    if (before?.phase === "waiting") this.#count(before, -1).delete(id);
    if (after?.phase === "waiting") this.#count(after, 1).set(id, after);
  }

  /** Sessions in the queue of a pool: those that have lost their worker are not in it. */
  inLine(pool: string): number {
    return this.#new.get(pool) ?? 0;
  }

  /** Sessions in the queues of all pools. */
  get inLines(): number {
    return [...this.#new.values()].reduce((sum, count) => sum + count, 0);
  }

  /** How many sessions of its pool get a worker before it: first those that have lost theirs, each kind by its time. */
  ahead(id: string, own: SessionRecord): number {
    let count = 0;
    for (const [other, value] of this.#pools.get(own.pool) ?? []) {
      if (other === id) continue;
      const [theirs, ours] = [value.displaced === true, own.displaced === true];
      if (theirs !== ours) {
        if (theirs) count++;
      } else if (value.since < own.since || value.since === own.since && other < id) count++;
    }
    return count;
  }

  #count({ pool, displaced }: SessionRecord, change: 1 | -1): Map<string, SessionRecord> {
    if (!displaced) this.#new.set(pool, this.inLine(pool) + change);
    const line = this.#pools.get(pool) ?? new Map<string, SessionRecord>();
    this.#pools.set(pool, line);
    return line;
  }
}
