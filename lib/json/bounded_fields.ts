/**
 * Objects and arrays of requests that may have any members or any number of them, with bounds of number and depth.
 *
 * @module
 */
import * as v from "valibot";
import { isObject } from "./json_text.ts";

/** Bounds of an array. */
interface ListBounds {
  readonly min?: number;
  readonly max: number;
  /** The words of an error: `expected an array of 1 to 64 strings`. */
  readonly expected: string;
}

/**
 * A schema of arrays. The length is looked at before the items, and of the items only the first wrong one is described: a
 * description costs a hundred times what an item costs in a body.
 */
export function listField<Item>(
  item: v.GenericSchema<unknown, Item>,
  { min = 0, max, expected }: ListBounds,
): v.GenericSchema<unknown, Item[]> {
  return afterBounds(
    v.pipe(v.custom<unknown[]>(Array.isArray, expected), v.minLength(min, expected), v.maxLength(max, expected)),
    v.pipe(v.array(item, expected), v.minLength(min, expected), v.maxLength(max, expected)),
  );
}

/** Bounds of an object. */
interface RecordBounds {
  /** Most members. */
  readonly max: number;
  /** The words of an error: `expected an object of at most 64 strings`. */
  readonly expected: string;
}

/**
 * A schema of objects whose names the client chooses. The members are counted before they are looked at, and of the members
 * only the first wrong one is described.
 */
export function recordField<Value>(
  value: v.GenericSchema<unknown, Value>,
  { max, expected }: RecordBounds,
): v.GenericSchema<unknown, Record<string, Value>> {
  const isBounded = (input: unknown): boolean => isObject(input) && Object.keys(input).length <= max;
  return afterBounds(v.custom(isBounded, expected), v.record(v.string(), value, expected));
}

/** A schema that is looked at only where `bounds` finds nothing wrong, and up to the first thing that is wrong. */
function afterBounds<S extends v.GenericSchema>(bounds: v.GenericSchema, schema: S): S {
  const run: S["~run"] = (dataset, config) => {
    const { issues } = bounds["~run"]({ value: dataset.value }, config);
    if (issues) return { typed: false, value: dataset.value, issues };
    return schema["~run"](dataset, { ...config, abortEarly: true });
  };
  return { ...schema, "~run": run };
}

/** A schema of JSON objects, excluding arrays and null. */
export function jsonObjectField(expected: string): v.GenericSchema<unknown, Record<string, unknown>> {
  return v.custom<Record<string, unknown>>(
    isObject,
    expected,
  );
}

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
