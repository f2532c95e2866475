/**
 * What the scheduler is handed: an engine, and a clock.
 *
 * @module
 */

/** A running engine, such as a child process with its model loaded. */
export interface Engine {
  /** Such as `cpu` or `cuda`. */
  readonly device?: string;
  /** Settles when the engine has exited for any reason; the value or rejection is for the log. */
  readonly exited: Promise<unknown>;
  /** Frees what can be rebuilt, such as the prefix cache. */
  trim(): Promise<void>;
  /** Stops it and resolves when its memory is free; does nothing if it has already exited. */
  stop(): Promise<void>;
}

/** Starts an engine; aborting the signal cancels the start, which then leaves nothing behind. */
export type StartEngine<E extends Engine> = (signal: AbortSignal) => Promise<E>;

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
