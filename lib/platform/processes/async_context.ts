/**
 * Values that belong to one chain of asynchronous calls.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** A value that all code sees which a piece of work has called, and no other. */
export class AsyncContext<T> {
  readonly #storage = new AsyncLocalStorage<T>();

  /** Runs work with a value. */
  run<R>(value: T, work: () => R): R {
    return this.#storage.run(value, work);
  }

  /** The value of the work that this is part of. */
  get current(): T | undefined {
    return this.#storage.getStore();
  }
}
