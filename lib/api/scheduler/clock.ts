/**
 * Time, as an argument.
 *
 * @module
 */

/** A clock; tests bring one that they move by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls once after some milliseconds; the function that it returns calls it off. */
  after(milliseconds: number, call: () => void): () => void;
}

/** A time as it stands in status values: ISO-8601, UTC, milliseconds. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
