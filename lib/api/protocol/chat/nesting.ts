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
