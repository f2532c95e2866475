/**
 * Values of JSON.
 *
 * @module
 */
import type { SchemaType } from "./schema/schema_rules.ts";

/** Whether two values are equal in JSON Schema: the order of members does not matter. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), b as Record<string, unknown>];
  return left.length === Object.keys(right).length &&
    left.every(([key, value]) => Object.hasOwn(right, key) && equalJson(value, right[key]));
}

/** The narrowest type of a value. */
export function typeOf(value: unknown): SchemaType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "boolean" | "string" | "object";
}

/** Whether a value has one of these types; every integer is a number. */
export function isOfType(value: unknown, types: ReadonlySet<SchemaType>): boolean {
  const type = typeOf(value);
  return types.has(type) || (type === "integer" && types.has("number"));
}
