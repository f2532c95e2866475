/** Keys of actions that cancel each other, so that no action may have both of a pair. */
export const OPPOSITE_KEYS: readonly (readonly [string, string])[] = [["w", "s"], ["a", "d"], ["i", "k"], ["j", "l"]];
