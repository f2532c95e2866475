/**
 * Median timing.
 *
 * @module
 */

/** Median of the times of one call in milliseconds: two warm-up calls, then at least 5 and about a second of them. */
export async function medianMilliseconds(call: () => Promise<unknown>): Promise<number> {
  await call();
  await call();
  const times: number[] = [];
  const end = performance.now() + 1000;
  while (times.length < 5 || performance.now() < end) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
