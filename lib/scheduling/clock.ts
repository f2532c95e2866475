/**
 * Time as an argument.
 *
 * @module
 */

/** A clock; tests pass one that they advance by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after some milliseconds; the returned function cancels the call. */
  after(milliseconds: number, call: () => void): () => void;
}

/** A time as status values show it: ISO-8601, UTC, milliseconds. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
