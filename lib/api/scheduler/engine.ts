/**
 * What the pool needs of an engine.
 *
 * @module
 */

/** A running engine, such as a child process with its model loaded. */
export interface Engine {
  /** Settles when the engine is gone, whether it was asked to go or not; the value or reason is for the log. */
  readonly exited: Promise<unknown>;
  /** Gives back what it can make again, such as cached prefixes. */
  trim(): Promise<void>;
  /** Ends it and resolves when its memory is free; without harm when it is gone already. */
  stop(): Promise<void>;
}

/** Starts an engine; an abort of the signal ends the start, which then leaves nothing behind. */
export type StartEngine<E extends Engine> = (signal: AbortSignal) => Promise<E>;
