/**
 * The keywords of JSON Schema.
 *
 * @module
 */

/** A schema that is an object. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** A schema. */
export type Schema = SchemaObject | boolean;

/** The types of JSON. */
export const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;

/** One of {@linkcode TYPES}. */
export type SchemaType = typeof TYPES[number];

/** Keywords that say nothing about what a value is. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$comment",
  "$defs",
  "definitions",
  "title",
  "description",
  "default",
  "example",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "discriminator",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
]);

/** Keywords that put schemas together. */
export const COMPOSITIONS = ["$ref", "allOf", "anyOf", "oneOf"] as const;

/** Keywords that can be kept to, with the types that they are about; none for those about all. */
export const RULES: Readonly<Record<string, readonly SchemaType[]>> = {
  type: [],
  enum: [],
  const: [],
  properties: ["object"],
  required: ["object"],
  additionalProperties: ["object"],
  propertyNames: ["object"],
  items: ["array"],
  prefixItems: ["array"],
  additionalItems: ["array"],
  minItems: ["array"],
  maxItems: ["array"],
  minLength: ["string"],
  maxLength: ["string"],
  pattern: ["string"],
  format: ["string"],
  minimum: ["integer", "number"],
  maximum: ["integer", "number"],
  exclusiveMinimum: ["integer", "number"],
  exclusiveMaximum: ["integer", "number"],
};

/** Values of other keywords that ask for nothing. */
const NOTHING: Readonly<Record<string, unknown>> = {
  uniqueItems: false,
  minProperties: 0,
  minContains: 0,
  unevaluatedProperties: true,
  unevaluatedItems: true,
  nullable: false,
};

/** Whether a keyword can be ignored: it describes, it is private, or it asks for nothing. */
export function saysNothing(keyword: string, value: unknown): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith("x-") ||
    (Object.hasOwn(NOTHING, keyword) && NOTHING[keyword] === value);
}

/** Whether a keyword is one of those that schemas are kept to by. */
export function isRule(keyword: string): boolean {
  return Object.hasOwn(RULES, keyword);
}
