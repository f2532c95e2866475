/**
 * Puts sessions into the line for a worker.
 *
 * @module
 */
import { compareAndSet } from "./compare_and_set.ts";
import type { ClusterBroker, ClusterClock, Entry } from "./broker.ts";
import type { PlacedPhase, SessionRecord } from "./records.ts";

/** What it works with. */
export interface SessionLineOptions {
  readonly broker: Pick<ClusterBroker, "sessions" | "tickets" | "displaced">;
  readonly clock: ClusterClock;
  /** Ends attempts to reach the broker. */
  readonly signal?: AbortSignal | undefined;
}

/** The line of sessions that wait; every gateway and every worker may put one into it, one of them succeeds. */
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
