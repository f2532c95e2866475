/**
 * Reads request bodies by a schema.
 *
 * @module
 */
import * as v from "valibot";
import { otherMembers } from "./declared_members.ts";
import { describeIssue, type FieldRefusal, findRefusedField, MAX_FIELDS } from "./field_refusal.ts";
import { show } from "./show.ts";
import { invalidIssue, invalidRequest } from "./svc_error.ts";

/** The rules of a body. */
export interface BodyRules<T> {
  /** What follows "Cannot" in errors. */
  readonly action: string;
  /** Also declares the members of all values: others are refused or named. */
  readonly fields: v.GenericSchema<unknown, T>;
  /** Fields of other servers that would change the answer. */
  readonly refusals: readonly FieldRefusal[];
}

/** The rules of a body whose fields are these. */
export function bodyRules<Entries extends v.ObjectEntries>(
  action: string,
  entries: Entries,
  refusals: readonly FieldRefusal[],
): BodyRules<v.InferOutput<v.ObjectSchema<Entries, undefined>>> {
  return { action, fields: v.object(entries), refusals };
}

/**
 * Reads a body.
 *
 * @returns Its fields, and a sentence in ASCII for each member at any depth that has no effect.
 * @throws {SvcError} 400 with the field in `param`.
 */
export function readFields<T>(
  body: unknown,
  { action, fields, refusals }: BodyRules<T>,
): { readonly fields: T; readonly warnings: readonly string[] } {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalidRequest("invalid_json", `Cannot ${action}: the body is ${show(body)}, expected a JSON object`);
  }
  const given = body as Readonly<Record<string, unknown>>;
  if (Object.keys(given).length > MAX_FIELDS) {
    const message = `Cannot ${action}: the body has more than ${MAX_FIELDS} fields, expected fewer`;
    throw invalidRequest("invalid_json", message);
  }
  const refuse = (reason: string, path: string): never => {
    throw invalidRequest("unsupported_parameter", `Cannot ${action}: ${reason}`, path);
  };
  const field = findRefusedField(given, refusals);
  if (field) refuse(field.reason, field.name);
  const result = v.safeParse(fields, given);
  if (!result.success) {
    throw invalidIssue(describeIssue(action, given, result.issues));
  }
  const { refused, warnings } = otherMembers(fields, given, refusals);
  if (refused) refuse(refused.reason, refused.path);
  return { fields: result.output, warnings };
}
