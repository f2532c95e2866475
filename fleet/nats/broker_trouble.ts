/**
 * Why the broker of a fleet refused a request: it is away, was emptied, is out of space, or its queue is full.
 *
 * @module
 */

/** What its operator should know; undefined for an error that is not the broker's. */
export function brokerTrouble(error: unknown): string | undefined {
  if (hasNoRoom(error)) {
    return "the NATS server has no room left: free space on its disk, or raise its max_file_store";
  }
  if (isEmptied(error)) {
    return "no stream of the fleet answers at the NATS server: where it was emptied, run svc cluster init";
  }
  return isAway(error) ? "the NATS server does not answer" : undefined;
}

/** What an error of the broker's client may tell of itself. */
interface ClientError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

/** Whether something is so of an error or one of its causes: the client wraps them. */
function someCause(error: unknown, isSo: (error: ClientError) => boolean): boolean {
  if (typeof error !== "object" || error === null) return false;
  return isSo(error) || someCause((error as { readonly cause?: unknown }).cause, isSo);
}

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
function isEmptied(error: unknown): boolean {
  return someCause(error, ({ name }) => EMPTIED.includes(name));
}

/** Whether the broker refused something, or one of its causes, for lack of permission. */
export function isDenied(error: unknown): boolean {
  return someCause(error, ({ name }) => name === "PermissionViolationError");
}

/** Codes of the broker where its store is as large as it may get. */
const STORE_FULL: readonly unknown[] = [10023, 10047];

/** Code of a message that was not stored: a queue is at its limit, or the disk is full. */
const NOT_STORED = 10077;

/** What is said of a queue at its limit. */
const QUEUE_FULL = /^maximum (messages|bytes)/;

/** Whether the broker refused a message because its queue is full. */
export function isQueueFull(error: unknown): boolean {
  const { code, message } = error as ClientError;
  return code === NOT_STORED && QUEUE_FULL.test(String(message));
}

/** Whether an error of the broker's client, or one of its causes, says that the broker's disk or store is full. */
export function hasNoRoom(error: unknown): boolean {
  return someCause(error, (one) => one.code === NOT_STORED && !isQueueFull(one) || STORE_FULL.includes(one.code));
}
