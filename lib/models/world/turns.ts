/**
 * Work of several chains on one engine.
 *
 * @module
 */

/** Lets one piece of work at a time run, first come, first served: of chains that ask again and again, all go on alike. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #busy = false;

  /**
   * Runs work when all that came before has ended.
   *
   * @throws the reason of `signal` when it aborts before that, and what the work throws.
   */
  async run<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.#busy) await this.#wait(signal);
    this.#busy = true;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#busy = false;
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal!.reason);
      };
      this.#waiting.push(go);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }
}
