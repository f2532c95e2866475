/**
 * Fields that hold any JSON object.
 *
 * @module
 */
import * as v from "valibot";

/** A schema of JSON objects, excluding arrays and null. */
export function jsonObjectField(expected: string): v.GenericSchema<unknown, Record<string, unknown>> {
  return v.custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    expected,
  );
}
