/**
 * Reads an OpenAPI document: references, types in words, fields as rows.
 *
 * @module
 */

/** The methods that the page shows, in their order; the others follow from them. */
export const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** A JSON Schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly [rule: string]: unknown;
}

/** A parameter of a route. */
export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

/** What bodies are, by media type. */
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}

/** A method of a route. */
export interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, Answer>>;
}

/** The parts of a document that are shown. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<
    Record<
      string,
      { readonly parameters?: readonly Parameter[] } & { readonly [M in typeof METHODS[number]]?: Operation }
    >
  >;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** What a reference of the document means; anything else means itself. */
export function resolve<T extends { readonly $ref?: string }>(api: ApiDocument, value: T): T {
  if (value.$ref === undefined) return value;
  let found: unknown = api;
  for (const part of value.$ref.split("/").slice(1)) found = (found as Record<string, unknown> | undefined)?.[part];
  return { ...found as T, ...value, $ref: undefined };
}

/** A type in words; names of schemas begin with `#`. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return `#${schema.$ref.split("/").at(-1)}`;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(" | ");
  if (schema.allOf) return schema.allOf.map(typeText).join(" & ");
  const types = [schema.type ?? "any"].flat();
  return types.map((type) => type === "array" && schema.items ? `array of ${typeText(schema.items)}` : type).join(
    " | ",
  );
}

/** A field of a schema. */
export interface Field {
  readonly name: string;
  readonly type: string;
  /** Its description and its limits. */
  readonly note: string;
  readonly required: boolean;
  /** 0 at the top. */
  readonly depth: number;
}

/** All fields of an object, those within it included; schemas with a name of their own are not opened. */
export function fieldsOf(api: ApiDocument, schema: Schema, depth = 0): Field[] {
  const { properties = {}, required = [] } = depth === 0 ? resolve(api, schema) : schema;
  return Object.entries(properties).flatMap(([name, field]) => [
    { name, type: typeText(field), note: noteOf(field), required: required.includes(name), depth },
    ...[field, ...field.items ? [field.items] : []].flatMap((inner) => fieldsOf(api, inner, depth + 1)),
  ]);
}

/** Rules that numbers, texts and lists have, in words. */
const RULES: readonly [rule: string, words: string][] = [
  ["minimum", "at least"],
  ["exclusiveMinimum", "above"],
  ["maximum", "at most"],
  ["exclusiveMaximum", "below"],
  ["minLength", "characters: at least"],
  ["maxLength", "characters: at most"],
  ["minItems", "items: at least"],
  ["maxItems", "items: at most"],
  ["default", "by default"],
];

function noteOf(schema: Schema): string {
  // A choice of one type and null has its rules in that type.
  const one = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
  const own = one.length === 1 ? { ...one[0], ...schema } : schema;
  const limits = RULES.flatMap(([rule, words]) =>
    own[rule] === undefined ? [] : [`${words} ${JSON.stringify(own[rule])}`]
  );
  return [own.description, limits.join(", ")].filter(Boolean).join("; ");
}
