/**
 * Bytes of an answer on their way to a client that may be slow.
 *
 * @module
 */

/** What is written can be read at any pace, without keeping it in memory. */
export interface Spool {
  /** What was written, as it comes; read once. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** @throws {SvcError} `disk_full`. */
  write(bytes: Uint8Array): Promise<void>;
  /** Nothing follows. */
  end(): void;
  /** The reader gets this error after what was written. */
  fail(error: unknown): void;
}

/** Opens a spool; `onLeave` is called when its reader stops reading. */
export type OpenSpool = (onLeave: () => void) => Promise<Spool>;
