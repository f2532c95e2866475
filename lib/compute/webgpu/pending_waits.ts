/**
 * Waits that end early when a device is lost.
 *
 * @module
 */

/**
 * Promises that something waits for. `Promise.race` with a promise that lives as long as the device would leave a
 * reaction on it for every wait.
 */
export class PendingWaits {
  readonly #rejects = new Set<(error: unknown) => void>();
  #closed: { readonly error: unknown } | undefined;

  /** Number of waits that have not ended. */
  get size(): number {
    return this.#rejects.size;
  }

  /** Settles as the promise does, or rejects once this is closed. */
  wait<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      promise.then(resolve, reject).finally(() => this.#rejects.delete(reject));
      if (this.#closed) reject(this.#closed.error);
      else this.#rejects.add(reject);
    });
  }

  /** Rejects everything that is or will be waited for. */
  close(error: unknown): void {
    this.#closed ??= { error };
    for (const reject of this.#rejects) reject(error);
    this.#rejects.clear();
  }
}
