/**
 * Compares two sets.
 *
 * @module
 */

/** Items that only the later list has, and items that only the earlier one has, in order. */
export function difference(
  before: readonly string[],
  after: readonly string[],
): { readonly won: readonly string[]; readonly lost: readonly string[] } {
  const [old, now] = [new Set(before), new Set(after)];
  return { won: after.filter((item) => !old.has(item)), lost: before.filter((item) => !now.has(item)) };
}
