/**
 * What the scheduler needs of an engine.
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
