/**
 * What may be written at a place of a JSON text, by its schema.
 *
 * @module
 */
import type { JsonSchema } from "../../lib/manifest/mod.ts";
import { jsonCursor } from "../../lib/json/json_cursor.ts";

/** One suggestion. */
export interface Suggestion {
  /** What is suggested, as text to show. */
  readonly label: string;
  /** A word on what it is. */
  readonly detail: string;
  /** What takes the place of the text from `from` to `to`. */
  readonly insert: string;
  /** Where the caret goes, from the start of `insert`. */
  readonly caret: number;
}

/** Suggestions for a part of the text. */
export interface Suggestions {
  readonly from: number;
  readonly to: number;
  readonly items: readonly Suggestion[];
}

/** The suggestions at an offset of a text that may be incomplete there; none where the schema has no words. */
export function completeJson(text: string, offset: number, root: JsonSchema): Suggestions {
  const { role, isTaken, path, start: from, writtenEnd: to, names: used } = jsonCursor(text, offset);
  const word = text.slice(from, offset).replace(/^"/, "");
  const schemas = path.reduce(
    (known, step) => known.flatMap((schema) => childrenOf(schema, step, root)),
    resolved(root, root),
  );
  const hasColon = /^\s*:/.test(text.slice(to));
  const fitting = (schema: JsonSchema): Suggestion[] =>
    role === "name" ? names(schema, used, root, hasColon) : values(schema);
  const items = isTaken ? [] : schemas.flatMap(fitting);
  const fits = ({ label }: Suggestion): boolean => label.toLowerCase().startsWith(word.toLowerCase());
  const unique = new Map(items.filter(fits).map((item) => [item.label, item]));
  // What is complete already is not a suggestion.
  if (unique.size === 1 && unique.values().next().value?.label === word) unique.clear();
  return { from, to, items: [...unique.values()] };
}

/** A schema without references and alternatives. */
function resolved(schema: JsonSchema, root: JsonSchema, depth = 0): JsonSchema[] {
  if (depth > 8) return [];
  if (schema.anyOf) return schema.anyOf.flatMap((one) => resolved(one, root, depth + 1));
  const name = schema.$ref?.replace("#/$defs/", "");
  const target = name === undefined ? undefined : root.$defs?.[name];
  return target ? resolved(target, root, depth + 1) : [schema];
}

function childrenOf(schema: JsonSchema, step: string | number, root: JsonSchema): JsonSchema[] {
  const child = typeof step === "number" ? schema.items : member(schema, step);
  return child ? resolved(child, root) : [];
}

function member({ properties, additionalProperties }: JsonSchema, name: string): JsonSchema | undefined {
  const known = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return known ?? (additionalProperties || undefined);
}

function names(
  { properties = {}, required = [] }: JsonSchema,
  used: readonly string[],
  root: JsonSchema,
  hasColon: boolean,
): Suggestion[] {
  const entries = Object.entries(properties).filter(([name]) => !used.includes(name));
  const rank = (name: string): number => required.includes(name) ? 0 : 1;
  return entries.sort(([a], [b]) => rank(a) - rank(b)).map(([label, schema]) => {
    const [first = {}] = resolved(schema, root);
    const [value, inside] = emptyValue(first);
    const name = JSON.stringify(label);
    const insert = hasColon ? name : `${name}: ${value}`;
    const about = schema.description ?? first.description ?? typeName(first);
    const detail = required.includes(label) ? `required; ${about}` : about;
    return { label, detail, insert, caret: hasColon ? insert.length : insert.length - inside };
  });
}

/** A value to start from, and how many of its characters follow the caret. */
function emptyValue({ type, const: only }: JsonSchema): [string, number] {
  if (only !== undefined) return [JSON.stringify(only), 0];
  switch (typeof type === "object" ? type[0] : type) {
    case "string":
      return ['""', 1];
    case "array":
      return ["[]", 1];
    case "object":
      return ["{}", 1];
    case "boolean":
      return ["false", 0];
    case "integer":
    case "number":
      return ["0", 0];
    default:
      return ["null", 0];
  }
}

function values(schema: JsonSchema): Suggestion[] {
  const { description = "" } = schema;
  const only = schema.const === undefined ? [] : [schema.const];
  const words = [
    ...only,
    ...schema.enum ?? [],
    ...typesOf(schema).flatMap((type) => type === "boolean" ? [true, false] : []),
  ];
  return words.map((value) => {
    const insert = JSON.stringify(value);
    return { label: String(value), detail: description, insert, caret: insert.length };
  });
}

function typesOf({ type = [] }: JsonSchema): readonly string[] {
  return typeof type === "string" ? [type] : type;
}

function typeName(schema: JsonSchema): string {
  return typesOf(schema).join(" or ");
}
