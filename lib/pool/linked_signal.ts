/**
 * One signal for several reasons to stop.
 *
 * @module
 */

/** A signal that aborts with the first of several; see {@linkcode linkSignals}. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Aborts when the link has ended. */
  readonly unlinked: AbortSignal;
  /** Lets go of the others. */
  unlink(): void;
}

/**
 * Joins signals for a limited time. `AbortSignal.any` would leave a trace on a long-lived signal for every request that
 * has ever been joined to it.
 */
export function linkSignals(signals: readonly AbortSignal[]): LinkedSignal {
  const abort = new AbortController();
  const link = new AbortController();
  for (const signal of signals) {
    const pass = () => abort.abort(signal.reason);
    if (signal.aborted) pass();
    else signal.addEventListener("abort", pass, { signal: link.signal });
  }
  return { signal: abort.signal, unlinked: link.signal, unlink: () => link.abort() };
}

/** The value of a promise, or the reason of a signal when that aborts first. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const link = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const pass = () => reject(signal.reason);
    if (signal.aborted) pass();
    else signal.addEventListener("abort", pass, { signal: link.signal });
  });
  return Promise.race([promise, aborted]).finally(() => link.abort());
}
