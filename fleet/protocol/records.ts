/**
 * What the roles of a fleet tell each other.
 *
 * @module
 */

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
  /** Whether it takes no more sessions. */
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
  /** Whether it waits because its worker was lost or left: then it waits ahead of the line and has no part in its limit. */
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
