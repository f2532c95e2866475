/**
 * The keywords of JSON Schema, and errors about them.
 *
 * @module
 */
import { show } from "../../../errors/show.ts";
import { invalidField, type SvcError, unsupportedParameter } from "../../../errors/svc_error.ts";

/** A schema that is an object. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** A schema. */
export type Schema = SchemaObject | boolean;

/** The types of JSON. */
export const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;

/** One of {@linkcode TYPES}. */
export type SchemaType = typeof TYPES[number];

/** Keywords that do not restrict values. */
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

/** Keywords that combine schemas. */
export const COMPOSITIONS = ["$ref", "allOf", "anyOf", "oneOf"] as const;

/** Supported keywords, with the types that they apply to; empty for those that apply to all. */
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

/** Neutral values of other keywords. */
const NOTHING: Readonly<Record<string, unknown>> = {
  uniqueItems: false,
  minProperties: 0,
  minContains: 0,
  unevaluatedProperties: true,
  unevaluatedItems: true,
  nullable: false,
};

/** Whether a keyword can be ignored: an annotation, private, or neutral. */
export function saysNothing(keyword: string, value: unknown): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith("x-") ||
    (Object.hasOwn(NOTHING, keyword) && NOTHING[keyword] === value);
}

/** Whether a keyword is supported. */
export function isRule(keyword: string): boolean {
  return Object.hasOwn(RULES, keyword);
}

/** An unsupported keyword, with a remedy. */
export function unsupportedKeyword(path: string, value: unknown, expected: string): SvcError {
  return unsupportedParameter(`Cannot complete the chat: "${path}" is ${show(value)}, ${expected}`, path);
}

/** A keyword that is not supported beside another one. */
export function misplacedKeyword(path: string, beside: string): SvcError {
  const message = `Cannot complete the chat: "${path}" cannot be enforced, expected no such rule beside ${beside}`;
  return unsupportedParameter(message, path);
}

/** An invalid keyword value. */
export function wrongKeyword(path: string, value: unknown, expected: string): SvcError {
  return invalidField(path, `Cannot complete the chat: "${path}" is ${show(value)}, expected ${expected}`);
}

/** An invalid schema as a whole. */
export function wrongSchema(path: string, why: string): SvcError {
  return invalidField(path, `Cannot complete the chat: "${path}" cannot be enforced, ${why}`);
}
