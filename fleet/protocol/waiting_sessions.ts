/**
 * The sessions that wait for a worker, in the order in which they get one.
 *
 * @module
 */
import type { SessionRecord } from "./records.ts";

/** What is known of the lines of all pools; there may be many sessions, and few that wait. */
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

  /** Sessions in the line of a pool: those that have lost their worker are not in it. */
  inLine(pool: string): number {
    return this.#new.get(pool) ?? 0;
  }

  /** Sessions in the lines of all pools. */
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
