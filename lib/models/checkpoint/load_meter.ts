/**
 * How much of a model has been read.
 *
 * @module
 */

/** Bytes of weights that were left in their files. */
export interface LoadedBytes {
  /** Those that have been read. */
  readonly done: number;
  /** All of them. */
  readonly total: number;
  /** How long the rest takes at the speed so far; absent at first. */
  readonly secondsLeft?: number;
}

/** Reports while a model is loaded, at most. */
const REPORTS = 100;

/** Counts the first read of every tensor; programs that are compiled again read some of them again. */
export class LoadMeter {
  readonly #now: () => number;
  #total = 0;
  #done = 0;
  #shown = 0;
  #listener: ((loaded: LoadedBytes) => void) | undefined;
  /** When the first observed read began, and what had been read before. */
  #since: { readonly at: number; readonly done: number } | undefined;

  /** @param now Milliseconds of a clock that only goes forwards. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A tensor of so many bytes is left in its file; the result is called with the bytes of each read of it. */
  expect(bytes: number): (read: number) => void {
    this.#total += bytes;
    let unread = bytes;
    return (read) => {
      const first = Math.min(read, unread);
      unread -= first;
      if (first > 0) this.#begin(first);
    };
  }

  /** Does work during which `listener` is called before some of the reads. */
  async during<T>(listener: (loaded: LoadedBytes) => void, work: () => Promise<T>): Promise<T> {
    this.#listener = listener;
    this.#since = undefined;
    try {
      return await work();
    } finally {
      this.#listener = undefined;
    }
  }

  #begin(bytes: number): void {
    const [done, total] = [this.#done, this.#total];
    this.#done += bytes;
    if (!this.#listener) return;
    const since = this.#since ??= { at: this.#now(), done };
    if (since.done !== done && done - this.#shown < total / REPORTS) return;
    this.#shown = done;
    const speed = (done - since.done) / (this.#now() - since.at);
    this.#listener({ done, total, ...speed > 0 && { secondsLeft: (total - done) / speed / 1000 } });
  }
}
