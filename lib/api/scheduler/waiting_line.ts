/**
 * A line in which clients wait, first come, first served.
 *
 * @module
 */

interface Place<T> {
  readonly item: T;
  readonly admit: () => void;
  readonly refuse: (error: unknown) => void;
}

/** Waiting clients, oldest first. Whoever aborts leaves the line at once, wherever it stands. */
export class WaitingLine<T> {
  readonly #places: Place<T>[] = [];
  readonly #onLeave: () => void;

  /** @param onLeave Called after somebody has left, since another may have its turn now. */
  constructor(onLeave: () => void) {
    this.#onLeave = onLeave;
  }

  get length(): number {
    return this.#places.length;
  }

  /** Who is next. */
  get head(): T | undefined {
    return this.#places[0]?.item;
  }

  /** All that wait, oldest first. */
  items(): T[] {
    return this.#places.map(({ item }) => item);
  }

  /**
   * Waits at the end of the line.
   *
   * @throws the reason of `signal` when it aborts first, or what {@linkcode refuseAll} is given.
   */
  async wait(item: T, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    let leave = () => {};
    try {
      await new Promise<void>((admit, refuse) => {
        const place = { item, admit, refuse };
        this.#places.push(place);
        leave = () => {
          const at = this.#places.indexOf(place);
          if (at < 0) return; // admitted in the same moment
          this.#places.splice(at, 1);
          refuse(signal.reason);
          this.#onLeave();
        };
        signal.addEventListener("abort", leave);
      });
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** Lets the next one in. */
  admitHead(): void {
    this.#places.shift()?.admit();
  }

  /** Sends all away. */
  refuseAll(error: unknown): void {
    for (const { refuse } of this.#places.splice(0)) refuse(error);
  }
}
