/**
 * How much a session keeps, as one value.
 *
 * @module
 */
import type { WorldSessionOptions } from "./session_options.ts";

/** Those options of a session that say how much it keeps. */
export type SessionLimits = Pick<WorldSessionOptions, "maxRetainedEdges" | "maxCheckpoints" | "keepFiles">;

/** The limits among other options. */
export function sessionLimits({ maxRetainedEdges, maxCheckpoints, keepFiles }: SessionLimits): SessionLimits {
  return { maxRetainedEdges, maxCheckpoints, keepFiles };
}
