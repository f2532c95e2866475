/**
 * Whether an error means that the broker did not answer.
 *
 * @module
 */
import { someCause } from "./error_causes.ts";

/** Names of the errors of its client where nothing answers: not connected, no leader, too late. */
const AWAY: readonly unknown[] = [
  "TimeoutError",
  "NoResponders",
  "NoRespondersError",
  "ConnectionError",
  "ClosedConnectionError",
  "DrainingConnectionError",
];

/** Names of the errors of its client where the streams of the fleet are gone: it was started with an empty disk. */
const EMPTIED: readonly unknown[] = ["StreamNotFoundError", "JetStreamNotEnabled"];

/** Codes of the broker where it has no leader for what was asked: a node is lost, and another one is being elected. */
const LEADERLESS: readonly unknown[] = [10008, 10009];

/** Whether an error of the broker's client, or one of its causes, says that the broker is away. */
export function isAway(error: unknown): boolean {
  return someCause(error, ({ name, code }) => AWAY.includes(name) || LEADERLESS.includes(code));
}

/** Whether an error, or one of its causes, says that a stream does not answer, or is gone. */
export function isEmptied(error: unknown): boolean {
  return someCause(error, ({ name }) => EMPTIED.includes(name));
}
