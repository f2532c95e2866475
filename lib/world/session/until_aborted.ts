/**
 * Waits for work that may be slow to stop.
 *
 * @module
 */

/**
 * What the work resolves with.
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
