/**
 * Reads the fields of a JSON body: both spellings, each field once, no unknown ones.
 *
 * @module
 */
import * as v from "valibot";
import { closestWord } from "../../../errors/closest_word.ts";
import { describeIssue } from "../../../errors/field_refusal.ts";
import { show } from "../../../errors/show.ts";
import { invalidIssue, invalidRequest } from "../../../errors/svc_error.ts";
import { isObject } from "../../../json/json_text.ts";

/** An object schema whose entries are the snake_case fields of a body. */
export type BodySchema<Body = unknown> = v.GenericSchema<unknown, Body> & {
  readonly entries: Readonly<Record<string, unknown>>;
};

/** No field has a longer name, in either spelling. */
const MAX_NAME = 64;

/**
 * Checks a parsed JSON body against its fields; the first violation becomes the error.
 *
 * @param action The words after "Cannot", such as `start a rollout`.
 * @param fields The object schema that names the fields, in snake_case; rules carry their message, `expected …`.
 * @param schema The whole schema, when there are rules over several fields.
 * @param rank Orders violations of rules by the path of their field, 0 or more; the lowest is reported. Missing fields
 * and wrong types always come first.
 * @throws {SvcError} `invalid_json`, `unknown_field`, `duplicate_field`, `missing_field`, `wrong_type` or
 * `invalid_<field>`.
 */
export function readRequestFields<S extends v.GenericSchema>(
  action: string,
  body: unknown,
  fields: BodySchema,
  schema: S,
  rank: (path: string) => number = () => 0,
): v.InferOutput<S> {
  if (!isObject(body)) {
    throw invalidRequest("invalid_json", `Cannot ${action}: the body is ${show(body)}, expected a JSON object`);
  }
  const folded = foldSpelling(action, body, fields);
  const result = v.safeParse(schema, folded);
  if (result.success) return result.output;
  throw invalidIssue(describeIssue(action, folded, result.issues, rank));
}

const noFields = v.object({});

/**
 * Checks the body of a request that has no fields.
 *
 * @param body The JSON that has come nevertheless; undefined for none.
 * @throws {SvcError} as {@linkcode readRequestFields}.
 */
export function readNoFields(action: string, body: unknown): void {
  if (body !== undefined) readRequestFields(action, body, noFields, noFields);
}

function foldSpelling(
  action: string,
  body: Record<string, unknown>,
  fields: BodySchema,
  parent = "",
): Record<string, unknown> {
  const known = Object.keys(fields.entries);
  const folded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const field = name.length > MAX_NAME ? name : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const param = parent + name;
    if (!known.includes(field)) {
      const meant = closestWord(field, known);
      const others = known.length === 0 ? "expected no fields" : `expected one of ${known.join(", ")}`;
      const remedy = meant ? `did you mean "${meant}"?` : others;
      throw invalidRequest("unknown_field", `Cannot ${action}: there is no field ${show(param)}, ${remedy}`, param);
    }
    if (Object.hasOwn(folded, field)) {
      const message = `Cannot ${action}: "${parent}${field}" is given in both spellings, expected one`;
      throw invalidRequest("duplicate_field", message, parent + field);
    }
    const inner = fields.entries[field];
    if (isBodySchema(inner) && Array.isArray(value)) {
      const parts = Object.keys(inner.entries).join(", ");
      const message = `Cannot ${action}: "${param}" is ${show(value)}, expected an object with ${parts}`;
      throw invalidRequest("wrong_type", message, param);
    }
    folded[field] = isBodySchema(inner) && isObject(value) ? foldSpelling(action, value, inner, `${param}.`) : value;
  }
  return folded;
}

function isBodySchema(schema: unknown): schema is BodySchema {
  return isObject(schema) && isObject(schema.entries);
}
