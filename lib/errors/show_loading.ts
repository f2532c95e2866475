/**
 * How far something large is, in words.
 *
 * @module
 */
import { showBytes } from "./show_bytes.ts";

/** Such as `40 s` or `3 min`. */
export function showSeconds(seconds: number): string {
  return seconds >= 90 ? `${Math.round(seconds / 60)} min` : `${Math.ceil(seconds)} s`;
}

/** Such as `3.2 GiB of 10.6 GiB, 40 s left`. */
export function showLoading(done: number, total: number, secondsLeft?: number): string {
  const left = secondsLeft === undefined ? "" : `, ${showSeconds(secondsLeft)} left`;
  return `${showBytes(done)} of ${showBytes(total)}${left}`;
}
