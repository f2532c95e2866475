/**
 * Whether an error means that the broker has no room.
 *
 * @module
 */
import { type ClientError, someCause } from "./error_causes.ts";

/** Codes of the broker where its store is as large as it may get. */
const STORE_FULL: readonly unknown[] = [10023, 10047];

/** Code of a message that was not stored: a queue is at its limit, or the disk is full. */
const NOT_STORED = 10077;

/** What is said of a queue at its limit. */
const QUEUE_FULL = /^maximum (messages|bytes)/;

/** Whether the broker refused a message because its queue takes no more. */
export function isQueueFull(error: unknown): boolean {
  const { code, message } = error as ClientError;
  return code === NOT_STORED && QUEUE_FULL.test(String(message));
}

/** Whether an error of the broker's client, or one of its causes, says that the broker's disk or store is full. */
export function hasNoRoom(error: unknown): boolean {
  return someCause(error, (one) => one.code === NOT_STORED && !isQueueFull(one) || STORE_FULL.includes(one.code));
}
