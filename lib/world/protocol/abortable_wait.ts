/**
 * Waits that a signal ends.
 *
 * @module
 */

/** Resolves after a delay; rejects with the signal's reason as soon as that aborts. */
export function abortableWait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * Waits for work that may be slow to stop; resolves with what it resolves with.
 *
 * @throws the reason of `signal` as soon as it aborts; the work then ends on its own.
 */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  return await Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", stop));
}
