/**
 * One job after the other.
 *
 * @module
 */

/** Runs jobs in the order in which they were added, each when the one before has ended. */
export class RunQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Adds a job; a job that fails does not stop those behind it. */
  add<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => {});
    return result;
  }
}
