/**
 * How deep values are nested.
 *
 * @module
 */

/**
 * Objects and arrays within one another that a request may have. What is deeper cannot go to another process or through
 * a template, each of which takes a part of the stack for a level.
 */
export const DEEPEST_VALUE = 500;

/** Whether a value has more levels than that. */
export function isTooDeep(value: unknown): boolean {
  const open: [unknown, number][] = [[value, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [inner, depth] = next;
    if (typeof inner !== "object" || inner === null) continue;
    if (depth === DEEPEST_VALUE) return true;
    for (const item of Array.isArray(inner) ? inner : Object.values(inner)) open.push([item, depth + 1]);
  }
  return false;
}
