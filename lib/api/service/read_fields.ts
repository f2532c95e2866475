/**
 * Reads request bodies by a schema.
 *
 * @module
 */
import * as v from "valibot";
import {
  describeIssue,
  type FieldRefusal,
  findRefusedField,
  ignoredSentences,
  MAX_FIELDS,
  refusalOf,
} from "../../errors/field_refusal.ts";
import { show } from "../../errors/show.ts";
import { invalidIssue, invalidRequest } from "../../errors/svc_error.ts";

/** The rules of a body. */
export interface BodyRules<T> {
  /** What follows "Cannot" in errors. */
  readonly action: string;
  readonly fields: v.GenericSchema<unknown, T>;
  /** The names of the fields. */
  readonly names: readonly string[];
  /** Fields of other servers that would change the answer. */
  readonly refusals: readonly FieldRefusal[];
}

/** The rules of a body whose fields are these. */
export function bodyRules<Entries extends v.ObjectEntries>(
  action: string,
  entries: Entries,
  refusals: readonly FieldRefusal[],
): BodyRules<v.InferOutput<v.ObjectSchema<Entries, undefined>>> {
  return { action, fields: v.object(entries), names: Object.keys(entries), refusals };
}

/**
 * Reads a body.
 *
 * @returns Its fields, and a sentence in ASCII for each one that has no effect.
 * @throws {SvcError} 400 with the field in `param`.
 */
export function readFields<T>(
  body: unknown,
  { action, fields, names, refusals }: BodyRules<T>,
): { readonly fields: T; readonly warnings: readonly string[] } {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalidRequest("invalid_json", `Cannot ${action}: the body is ${show(body)}, expected a JSON object`);
  }
  const given = body as Readonly<Record<string, unknown>>;
  if (Object.keys(given).length > MAX_FIELDS) {
    const message = `Cannot ${action}: the body has more than ${MAX_FIELDS} fields, expected fewer`;
    throw invalidRequest("invalid_json", message);
  }
  const refused = findRefusedField(given, refusals);
  if (refused) throw invalidRequest("unsupported_parameter", `Cannot ${action}: ${refused.reason}`, refused.name);
  const result = v.safeParse(fields, given);
  if (!result.success) {
    throw invalidIssue(describeIssue(action, given, result.issues));
  }
  const ignored = Object.keys(given).filter((name) => !names.includes(name) && !refusalOf(name, refusals));
  const warnings = ignoredSentences(ignored.map((name) => ({ path: name, name, known: names })));
  return { fields: result.output, warnings };
}
