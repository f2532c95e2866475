/**
 * Notices of what has changed in a session.
 *
 * @module
 */

/** Notices that are kept for clients that were away. */
export const MAX_NOTICES = 1024;

/** Something has changed; what it is now is asked of the session. */
export type SessionChange =
  | { readonly event: "snapshot" }
  | { readonly event: "job"; readonly jobId: string }
  | { readonly event: "chunk"; readonly jobId: string; readonly blockIndex: number };

/** A change with its number; numbers only grow. */
export type Notice = SessionChange & { readonly number: number };

/** The last notices of a session, and who wants to hear of new ones. */
export class SessionEvents {
  /** Tells the notices of one session from those of another. */
  readonly epoch: string;
  readonly #listeners = new Set<() => void>();
  #notices: Notice[] = [];
  #last = 0;

  /** @param epoch Id of the session. */
  constructor(epoch: string) {
    this.epoch = epoch;
  }

  /** Number of the newest notice, 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** The notices after a number, oldest first; undefined when some of them are not kept any more, or never were. */
  after(number: number): readonly Notice[] | undefined {
    const missed = this.#last - number;
    if (missed < 0 || missed > this.#notices.length) return undefined;
    return missed === 0 ? [] : this.#notices.slice(-missed);
  }

  /** Calls `listener` after every new notice, until the function that is returned is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Adds a notice. */
  notify(change: SessionChange): void {
    this.#notices.push({ ...change, number: ++this.#last });
    if (this.#notices.length > MAX_NOTICES) this.#notices.shift();
    for (const listener of [...this.#listeners]) listener();
  }
}
