/**
 * Nesting depth of values.
 *
 * @module
 */

/**
 * Maximum depth of objects and arrays in a request. Deeper values cannot be sent to another process or rendered by a
 * template, both of which recurse.
 */
export const DEEPEST_VALUE = 500;

/** Whether a value is nested deeper. */
export function isTooDeep(value: unknown): boolean {
  // One level after the other, so that no stack is needed however deep the value is.
  let level: object[] = isNested(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === DEEPEST_VALUE) return true;
    const below: object[] = [];
    for (const outer of level) {
      for (const inner of Array.isArray(outer) ? outer : Object.values(outer)) if (isNested(inner)) below.push(inner);
    }
    level = below;
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
