/**
 * Human-readable times.
 *
 * @module
 */

/** Such as `40 s` or `3 min`. */
export function showSeconds(seconds: number): string {
  return seconds >= 90 ? `${Math.round(seconds / 60)} min` : `${Math.ceil(seconds)} s`;
}
