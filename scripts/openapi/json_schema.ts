/**
 * Shorthands for JSON Schema.
 *
 * @module
 */
import type { JsonObject } from "./both_spellings.ts";

/** A string. */
export const text: JsonObject = { type: "string" };

/** True or false. */
export const flag: JsonObject = { type: "boolean" };

/** An integer from 0. */
export const count: JsonObject = { type: "integer", minimum: 0 };

/** A number from 0. */
export const amount: JsonObject = { type: "number", minimum: 0 };

/** A time in UTC with milliseconds. */
export const time: JsonObject = { type: "string", format: "date-time" };

/** A component. */
export function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with exactly these members; those whose name ends with `?` may be absent. */
export function record(members: Readonly<Record<string, JsonObject>>, description?: string): JsonObject {
  const names = Object.keys(members);
  return {
    type: "object",
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ""), members[name]])),
    required: names.filter((name) => !name.endsWith("?")),
    additionalProperties: false,
  };
}

/** A request: unknown members are ignored or rejected, and null means omitted. */
export function request(members: Readonly<Record<string, JsonObject>>): JsonObject {
  const { additionalProperties: _, properties, ...rest } = record(members) as Record<string, JsonObject>;
  const required = rest.required as unknown as string[];
  const entries = Object.entries(properties as Record<string, JsonObject>).map(([name, schema]) =>
    [name, required.includes(name) ? schema : nullable(schema)] as const
  );
  return { ...rest, properties: Object.fromEntries(entries) };
}

/** A value or null. */
export function nullable(schema: JsonObject): JsonObject {
  if (typeof schema.type === "string" && !("enum" in schema)) return { ...schema, type: [schema.type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}

/** A number within bounds. */
export function number(minimum: number, maximum: number, description?: string): JsonObject {
  return { type: "number", minimum, maximum, ...(description === undefined ? {} : { description }) };
}

/** An integer within bounds. */
export function integer(minimum: number, maximum: number, description?: string): JsonObject {
  return { ...number(minimum, maximum, description), type: "integer" };
}

/** A list. */
export function list(items: JsonObject, bounds: JsonObject = {}): JsonObject {
  return { type: "array", items, ...bounds };
}

/** One of several words. */
export function words(...values: readonly string[]): JsonObject {
  return { type: "string", enum: values };
}

/** A schema with a description. */
export function described(schema: JsonObject, description: string): JsonObject {
  return { ...schema, description };
}
