/**
 * Reads request bodies and forms by a schema.
 *
 * @module
 */
import * as v from "valibot";
import { otherMembers } from "../../errors/declared_members.ts";
import { describeIssue, type FieldRefusal, findRefusedField, MAX_FIELDS } from "../../errors/field_refusal.ts";
import { show } from "../../errors/show.ts";
import { invalidIssue, invalidRequest } from "../../errors/svc_error.ts";
import { isPathText, MAX_PATH_BYTES } from "../../json/path_text.ts";

/** The rules of a body. */
interface BodyRules<T> {
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

const expected = `expected the id of a model, of at most ${MAX_PATH_BYTES} bytes`;

/** A model that the request has to name. */
export const modelField: v.GenericSchema<unknown, string> = v.pipe(
  v.string(expected),
  v.check((name) => isPathText(name) && name.trim() !== "", expected),
);

/** What the text of a field stands for: a `word` is a text that is never empty, `texts` may come several times. */
export type FormFieldKind = "text" | "word" | "number" | "boolean" | "texts";

/** A decimal number as JSON and people write it. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Turns texts into the values that a body of JSON would have, for the same schema: what is not a number or boolean
 * stays a text, which the schema then names, and so do the digits of a whole number that JSON numbers cannot hold. An
 * empty number, boolean or word counts as absent, since forms of browsers send all their fields.
 */
export function formFields(
  texts: ReadonlyMap<string, readonly string[]>,
  kinds: Readonly<Record<string, FormFieldKind>>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, values] of texts) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : "text";
    const value = kind === "texts" ? values : valueOf(values[0].trim(), kind, values[0]);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

function valueOf(word: string, kind: Exclude<FormFieldKind, "texts">, text: string): unknown {
  if (kind === "text") return text;
  if (word === "") return undefined;
  if (kind === "word") return text;
  if (kind === "boolean") {
    const index = ["false", "0", "true", "1"].indexOf(word.toLowerCase());
    return index < 0 ? text : index > 1;
  }
  const number = NUMBER.test(word) ? Number(word) : NaN;
  const isExact = Number.isSafeInteger(number) || !/^[+-]?\d+$/.test(word);
  return Number.isFinite(number) && isExact ? number : word;
}
