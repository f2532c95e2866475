/**
 * Equality and order of values, as Python has them.
 *
 * @module
 */
import { Dict, Float, Generator, isNumber, points, PythonError, typeName, type Value, View } from "./values.ts";

const beyondBasicPlane = /[\ud800-\udfff]/;

/** `==`. */
export function equal(a: Value, b: Value): boolean {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (typeName(a) !== typeName(b) || a instanceof Generator || a instanceof View) return a === b;
    return a === b || a.length === b.length && a.every((one, i) => equal(one, b[i]));
  }
  if (a instanceof Dict && b instanceof Dict) {
    return a === b || a.size === b.size && a.pairs().every(([key, one]) => b.has(key) && equal(one, b.get(key)));
  }
  return a === b;
}

/** Negative where `a < b`, 0 where they are equal, NaN where one of them is NaN. */
export function compare(a: Value, b: Value): number {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  if (Array.isArray(a) && Array.isArray(b) && typeName(a) === typeName(b) && /list|tuple/.test(typeName(a))) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (!equal(a[i], b[i])) return compare(a[i], b[i]);
    return a.length - b.length;
  }
  throw new PythonError(`a ${typeName(a)} and a ${typeName(b)} have no order`);
}

function compareNumbers(a: bigint | boolean | Float, b: bigint | boolean | Float): number {
  // JavaScript compares ints with doubles exactly, as Python does.
  const [left, right] = [a, b].map((one) => one instanceof Float ? one.number : BigInt(one));
  return left < right ? -1 : left > right ? 1 : left == right ? 0 : NaN; // deno-lint-ignore-line eqeqeq
}

/** By code points; JavaScript compares UTF-16, where a surrogate comes before U+E000. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (!beyondBasicPlane.test(a) && !beyondBasicPlane.test(b)) return a < b ? -1 : 1;
  const [left, right] = [points(a), points(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = left[i].codePointAt(0)! - right[i].codePointAt(0)!;
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
