/**
 * Notices of changes to a session.
 *
 * @module
 */

/** Maximum number of notices kept for clients that reconnect. */
export const MAX_NOTICES = 1024;

/** Something has changed; its current value is read from the session. Numbers only increase. */
export type Notice =
  & { readonly number: number }
  & (
    | { readonly event: "snapshot" }
    | { readonly event: "job"; readonly jobId: string }
    | { readonly event: "chunk"; readonly jobId: string; readonly blockIndex: number }
  );

/** A notice before it has its number. */
export type NewNotice = WithoutNumber<Notice>;
type WithoutNumber<Each> = Each extends unknown ? Omit<Each, "number"> : never;

/** The last notices of a session, and its listeners. */
export class SessionEvents {
  /** Distinguishes the notices of one session from those of another. */
  readonly epoch: string;
  readonly #listeners = new Set<() => void>();
  #notices: Notice[] = [];
  #last = 0;

  /**
   * Events of a session without any so far.
   *
   * @param epoch Id of the session.
   */
  constructor(epoch: string) {
    this.epoch = epoch;
  }

  /** Number of the newest notice, 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** The notices after a number, oldest first; undefined when some of them are no longer kept or never existed. */
  after(number: number): readonly Notice[] | undefined {
    const missed = this.#last - number;
    if (missed < 0 || missed > this.#notices.length) return undefined;
    return missed === 0 ? [] : this.#notices.slice(-missed);
  }

  /** Calls `listener` after every new notice; the returned function unsubscribes it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Adds a notice.
   *
   * @internal
   */
  notify(change: NewNotice): void {
    this.#notices.push({ ...change, number: ++this.#last });
    if (this.#notices.length > MAX_NOTICES) this.#notices.shift();
    for (const listener of [...this.#listeners]) listener();
  }
}
