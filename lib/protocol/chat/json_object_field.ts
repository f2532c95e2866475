/**
 * Fields that hold any JSON object.
 *
 * @module
 */
import * as v from "valibot";
import { isObject } from "../../json/json_text.ts";

/** A schema of JSON objects, excluding arrays and null. */
export function jsonObjectField(expected: string): v.GenericSchema<unknown, Record<string, unknown>> {
  return v.custom<Record<string, unknown>>(
    isObject,
    expected,
  );
}
