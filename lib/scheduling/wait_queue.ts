/**
 * Work in the order in which it comes: clients that wait, and work that must not overlap.
 *
 * @module
 */

interface Waiter<T> {
  readonly item: T;
  readonly admit: () => void;
  readonly reject: (error: unknown) => void;
}

/** Waiting clients, oldest first. A client that aborts leaves the queue at once, whatever its position. */
export class WaitQueue<T> {
  readonly #waiters: Waiter<T>[] = [];
  readonly #onLeave: () => void;

  /** @param onLeave Called after a client has disconnected, because the next one may now be admissible. */
  constructor(onLeave: () => void) {
    this.#onLeave = onLeave;
  }

  get length(): number {
    return this.#waiters.length;
  }

  /** The next item to admit. */
  get head(): T | undefined {
    return this.#waiters[0]?.item;
  }

  /** All queued items, oldest first. */
  items(): T[] {
    return this.#waiters.map(({ item }) => item);
  }

  /**
   * Waits at the end of the queue.
   *
   * @throws the reason of `signal` when it aborts first, or the error given to {@linkcode rejectAll}.
   */
  async wait(item: T, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    let leave = () => {};
    try {
      await new Promise<void>((admit, reject) => {
        const waiter = { item, admit, reject };
        this.#waiters.push(waiter);
        leave = () => {
          const index = this.#waiters.indexOf(waiter);
          if (index < 0) return; // already admitted
          this.#waiters.splice(index, 1);
          reject(signal.reason);
          this.#onLeave();
        };
        signal.addEventListener("abort", leave);
      });
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** Admits the head of the queue. */
  admitNext(): void {
    this.#waiters.shift()?.admit();
  }

  /** Rejects every queued client. */
  rejectAll(error: unknown): void {
    for (const { reject } of this.#waiters.splice(0)) reject(error);
  }
}

/** Runs one piece of work after another, in the order in which they come. */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
