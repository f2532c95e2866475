/**
 * Abort reasons: one client's, and one shared by all.
 *
 * @module
 */

/**
 * An end that many await. A plain `AbortSignal` warns of a leak from the eleventh listener on, and `AbortSignal.any`
 * would keep a reference for every request ever linked to it.
 */
export class Ending {
  readonly #abort = new AbortController();
  readonly #calls = new Set<() => void>();

  /** Aborts at the end; for a few listeners only. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Ends it, once. */
  end(reason: unknown): void {
    this.#abort.abort(reason);
    for (const call of [...this.#calls]) call();
  }

  /** Calls back at the end, or at once if it has ended; the returned function cancels the call. */
  onEnd(call: () => void): () => void {
    if (this.signal.aborted) call();
    else this.#calls.add(call);
    return () => this.#calls.delete(call);
  }
}

/** A signal that aborts with the first of two reasons; see {@linkcode linkSignals}. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Unsubscribes from both. */
  unlink(): void;
}

/** Links a client's signal with a shared end for the duration of one request. */
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

/** The value of a promise; rejects with the signal's reason if that aborts first. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let fail = () => {};
  const aborted = new Promise<never>((_, reject) => {
    fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    signal.addEventListener("abort", fail);
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", fail));
}
