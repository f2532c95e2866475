/**
 * Runs jobs one after the other.
 *
 * @module
 */

/** Runs jobs in the order in which they were added. */
export class RunQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Adds a job; a failing job does not stop later ones. */
  add<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => {});
    return result;
  }
}

/** Lets what has arrived meanwhile be handled, such as the message that aborts a run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
