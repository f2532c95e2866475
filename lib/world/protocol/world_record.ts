/**
 * What the server tells about one of its worlds.
 *
 * @module
 */
import type { BackendName, SessionPhase } from "./wire.ts";

/** One of the worlds of a server. */
export interface WorldRecord {
  /** Kind of the record. */
  readonly object: "world";
  /** `default`, or a UUID. */
  readonly world_id: string;
  /** As the client has named it. */
  readonly name?: string;
  /** As asked for; one server has no pools. */
  readonly pool?: string;
  /** ISO-8601 in UTC. */
  readonly created_at: string;
  /** What generates it. */
  readonly backend: BackendName;
  /** What its session does at present. */
  readonly phase: SessionPhase;
  /** Present where it was written to the disk, because nobody used it; the next move takes it up again. */
  readonly parked?: boolean;
  /** After a restart or an import: whether it goes on bit for bit, or from the picture that it showed last. */
  readonly continuity?: "exact" | "picture";
  /** Whether it is the one that paths without an id mean. */
  readonly default: boolean;
  /** Path of its page; all its routes are below, such as `v1/world/session`. */
  readonly path: string;
}
