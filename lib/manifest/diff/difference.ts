/**
 * Compares two sets.
 *
 * @module
 */

/** What only the later list has, and what only the earlier one has; their order is kept. */
export function difference(
  before: readonly string[],
  after: readonly string[],
): { readonly won: readonly string[]; readonly lost: readonly string[] } {
  const [old, now] = [new Set(before), new Set(after)];
  return { won: after.filter((item) => !old.has(item)), lost: before.filter((item) => !now.has(item)) };
}
