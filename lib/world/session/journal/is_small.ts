/**
 * Bounds of values that nothing else is known of.
 *
 * @module
 */

/** Values in one value, each counted as often as it is named: what is written as JSON has to end. */
const MOST = 100_000;

/** Levels of a value. */
const DEPTH = 16;

/**
 * Whether a value is small when it is written out. Objects of a journal may name each other, so that a few of them stand
 * for more than any memory holds.
 */
export function isSmall(value: unknown): boolean {
  let left = MOST;
  const fits = (value: unknown, depth: number): boolean => {
    if (--left < 0 || depth > DEPTH) return false;
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return true;
    for (const item of Object.values(value)) if (!fits(item, depth + 1)) return false;
    return true;
  };
  return fits(value, 0);
}
