/**
 * Reasons to stop, one client's and everybody's.
 *
 * @module
 */

/**
 * An end that many wait for. An `AbortSignal` alone would warn of a leak from the eleventh listener on, and
 * `AbortSignal.any` would leave a trace on it for every request that has ever been joined to it.
 */
export class Ending {
  readonly #abort = new AbortController();
  readonly #calls = new Set<() => void>();

  /** Aborts with the end; for a few listeners only. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Ends it, unless it has ended. */
  end(reason: unknown): void {
    this.#abort.abort(reason);
    for (const call of [...this.#calls]) call();
  }

  /** Calls at the end, or at once when it has ended; the function that it returns calls it off. */
  onEnd(call: () => void): () => void {
    if (this.signal.aborted) call();
    else this.#calls.add(call);
    return () => this.#calls.delete(call);
  }
}

/** A signal that aborts with the first of two reasons; see {@linkcode linkSignals}. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Lets go of both. */
  unlink(): void;
}

/** Joins the signal of a client with an end that all share, for the time of one request. */
export function linkSignals(client: AbortSignal, ending: Ending): LinkedSignal {
  const abort = new AbortController();
  const cancel = () => abort.abort(client.reason);
  if (client.aborted) cancel();
  client.addEventListener("abort", cancel);
  const off = ending.onEnd(() => abort.abort(ending.signal.reason));
  const unlink = () => {
    client.removeEventListener("abort", cancel);
    off();
  };
  return { signal: abort.signal, unlink };
}

/** The value of a promise, or the reason of a signal when that aborts first. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let fail = () => {};
  const aborted = new Promise<never>((_, reject) => {
    fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    signal.addEventListener("abort", fail);
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", fail));
}
