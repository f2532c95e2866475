/**
 * Hands chunks from a running job to the loop that reads them.
 *
 * @module
 */

/**
 * A queue between one producer and one consumer: each push resolves when its item has been taken, so that the producer
 * never runs further ahead than it chooses to.
 */
export class BlockQueue<T> {
  readonly #items: { readonly item: T; readonly taken: () => void }[] = [];
  #closed = false;
  #wake = () => {};

  /** Adds an item; resolves when it has been taken or the queue is closed. */
  push(item: T): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((taken) => {
      this.#items.push({ item, taken });
      this.#wake();
    });
  }

  /** No item follows: what waits may still be taken, and every push resolves. */
  close(): void {
    this.#closed = true;
    for (const { taken } of this.#items) taken();
    this.#wake();
  }

  /** The items in order; ends when the queue is closed and empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    while (true) {
      const next = this.#items.shift();
      if (next) {
        next.taken();
        yield next.item;
      } else if (this.#closed) return;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}
