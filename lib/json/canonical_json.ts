/**
 * Canonical JSON.
 *
 * @module
 */

import { quote } from "./json_text.ts";

/**
 * The canonical form of a value (RFC 8785): no spaces, members sorted by the UTF-16 code units of their names, numbers
 * and strings as ECMAScript writes them. Deep values do not overflow the stack.
 *
 * @throws {TypeError} for what canonical JSON cannot represent: numbers that are not finite, lone surrogates, and
 * non-JSON values
 */
export function canonicalJson(value: unknown): string {
  return sortedJson(value, (text) => {
    if (!LONE_SURROGATE.test(text)) return JSON.stringify(text);
    throw unwritable(`${quote(text)}, which has a lone surrogate`);
  });
}

/** Whether two JSON values are equal, regardless of the order of members. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return sortedJson(a, JSON.stringify) === sortedJson(b, JSON.stringify);
}

function sortedJson(value: unknown, quoted: (text: string) => string): string {
  const parts: string[] = [];
  const open: Iterator<readonly [prefix: string, value: unknown]>[] = [];
  const ends: string[] = [];
  const ancestors = new Set<object>();
  const containers: object[] = [];
  let next: unknown = value;
  for (;;) {
    if (typeof next === "object" && next !== null) {
      if (ancestors.has(next)) throw unwritable("a value that contains itself");
      ancestors.add(next);
      containers.push(next);
      parts.push(Array.isArray(next) ? "[" : "{");
      ends.push(Array.isArray(next) ? "]" : "}");
      open.push(Array.isArray(next) ? items(next) : members(next as Readonly<Record<string, unknown>>, quoted));
    } else parts.push(typeof next === "string" ? quoted(next) : scalar(next));
    for (;;) {
      if (open.length === 0) return parts.join("");
      const step = open[open.length - 1].next();
      if (!step.done) {
        parts.push(step.value[0]);
        next = step.value[1];
        break;
      }
      open.pop();
      parts.push(ends.pop() as string);
      ancestors.delete(containers.pop() as object);
    }
  }
}

function* items(array: readonly unknown[]): Generator<readonly [string, unknown]> {
  for (let i = 0; i < array.length; i++) yield [i === 0 ? "" : ",", array[i]];
}

function* members(
  object: Readonly<Record<string, unknown>>,
  quoted: (text: string) => string,
): Generator<readonly [string, unknown]> {
  let comma = "";
  // Without a comparator sort() compares by UTF-16 code units.
  for (const name of Object.keys(object).sort()) {
    if (object[name] === undefined) continue;
    yield [`${comma}${quoted(name)}:`, object[name]];
    comma = ",";
  }
}

function scalar(value: unknown): string {
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return JSON.stringify(value);
  throw unwritable(typeof value === "number" ? String(value) : `a value of type ${typeof value}`);
}

/** With the u flag a whole pair is one character, which the class does not match. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

function unwritable(found: string): TypeError {
  return new TypeError(`Cannot write the canonical form: found ${found}, expected finite numbers and well-formed text`);
}
