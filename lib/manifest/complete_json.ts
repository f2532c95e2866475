/**
 * What may be written at a place of a JSON text, and what is said of it, by its schema: for the language server and for
 * the editor of the site. Places are found by `jsonCursor()`: jsonc-parser descends by calls, so that 5,000 to 10,000
 * levels overflow the stack, and its tree of 32 MB takes 20 s; vscode-json-languageservice, which builds on it, would add
 * 139 KB to the 39 KB of the editor.
 *
 * @module
 */
import { jsonCursor } from "../json/json_cursor.ts";
import type { JsonSchema } from "./mod.ts";

/** One suggestion. */
export interface Suggestion {
  /** What is suggested, as text to show. */
  readonly label: string;
  /** A word on what it is. */
  readonly detail: string;
  /** Whether it is a name that the object must have. */
  readonly isRequired: boolean;
  /** The name with its colon, or the value. */
  readonly insert: string;
  /** A value to start from, after a name. */
  readonly value: string;
  /** How many characters of that value follow the caret. */
  readonly inside: number;
}

/** Suggestions for a part of the text. */
export interface Suggestions {
  readonly role: "name" | "value";
  readonly path: readonly (string | number)[];
  /** Where the part is that they take the place of. */
  readonly from: number;
  readonly to: number;
  readonly items: readonly Suggestion[];
}

/** The suggestions at an offset of a text that may be incomplete there; none where the schema has no words. */
export function completeJson(text: string, offset: number, root: JsonSchema): Suggestions {
  const { role, isTaken, path, start: from, writtenEnd: to, names: used } = jsonCursor(text, offset);
  const hasColon = /^\s*:/.test(text.slice(to));
  const schemas = isTaken ? [] : schemasAt(root, path);
  const items = role === "name" ? schemas.flatMap((schema) => names(schema, used, root, hasColon)) : values(schemas);
  return { role, path, from, to, items: [...new Map(items.map((item) => [item.label, item])).values()] };
}

/** The suggestions that begin as the word before the offset does; none where the only one is complete already. */
export function completeWord(text: string, offset: number, root: JsonSchema): Suggestions {
  const found = completeJson(text, offset, root);
  const word = text.slice(found.from, offset).replace(/^"/, "");
  const items = found.items.filter(({ label }) => label.toLowerCase().startsWith(word.toLowerCase()));
  return { ...found, items: items.length === 1 && items[0].label === word ? [] : items };
}

/** What the schema says of a place: description, type and listed texts. */
export function describeJson(root: JsonSchema, path: readonly (string | number)[]): string | undefined {
  const schemas = schemasAt(root, path);
  const description = schemas.find((schema) => schema.description !== undefined)?.description;
  const types = [...new Set(schemas.flatMap(typesOf))].join(" or ");
  const texts = [...new Set(schemas.flatMap(listed))].filter((value) => typeof value === "string");
  const lines = [description, types && `Type: ${types}`, texts.length > 0 && `One of ${texts.map(quoted).join(", ")}`];
  return lines.filter(Boolean).join("\n\n") || undefined;
}

/** All schemas that hold at a path; none where the root has no such part. */
function schemasAt(root: JsonSchema, path: readonly (string | number)[]): JsonSchema[] {
  return path.reduce((found, step) => {
    const parts = found.map((schema) => typeof step === "number" ? schema.items : member(schema, step));
    return parts.flatMap((part) => part ? alternatives(part, root) : []);
  }, alternatives(root, root));
}

/** A schema, and those that it refers to or chooses from. */
function alternatives(schema: JsonSchema, root: JsonSchema, depth = 0): JsonSchema[] {
  if (depth > 8) return [];
  const target = schema.$ref === undefined ? undefined : root.$defs?.[schema.$ref.replace("#/$defs/", "")];
  const others = [...target ? [target] : [], ...schema.anyOf ?? []];
  return [schema, ...others.flatMap((other) => alternatives(other, root, depth + 1))];
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
  const suggestions = Object.entries(properties).filter(([name]) => !used.includes(name)).map(([label, schema]) => {
    const schemas = alternatives(schema, root);
    const shape = schemas.find((one) => one.type !== undefined || one.const !== undefined) ?? schema;
    const [value, inside] = hasColon ? ["", 0] as const : emptyValue(shape);
    const about = schemas.find(({ description }) => description !== undefined)?.description ??
      typesOf(shape).join(" or ");
    const isRequired = required.includes(label);
    const detail = isRequired ? `required; ${about}` : about;
    return { label, detail, isRequired, insert: `${quoted(label)}${hasColon ? "" : ": "}`, value, inside };
  });
  return suggestions.sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

/** A value to start from, and how many of its characters follow the caret. */
function emptyValue({ type, const: only }: JsonSchema): readonly [string, number] {
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

function values(schemas: readonly JsonSchema[]): Suggestion[] {
  return schemas.flatMap((schema) =>
    listed(schema).map((value) => ({
      label: String(value),
      detail: schema.description ?? "",
      isRequired: false,
      insert: JSON.stringify(value),
      value: "",
      inside: 0,
    }))
  );
}

/** The values that a schema lists. */
function listed(schema: JsonSchema): readonly (string | boolean | null)[] {
  const only = schema.const === undefined ? [] : [schema.const];
  const types = typesOf(schema);
  const literals = [...types.includes("boolean") ? [true, false] : [], ...types.includes("null") ? [null] : []];
  return [...only, ...schema.enum ?? [], ...literals];
}

function typesOf({ type = [] }: JsonSchema): readonly string[] {
  return typeof type === "string" ? [type] : type;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
