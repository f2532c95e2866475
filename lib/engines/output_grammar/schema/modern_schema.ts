/**
 * Converts schemas from older dialects.
 *
 * @module
 */
import { COMPOSITIONS, type SchemaObject } from "./schema_rules.ts";
import { isObject } from "../../../json/json_text.ts";

const SINGLE: readonly string[] = ["items", "additionalProperties", "propertyNames"];
const LISTS: readonly string[] = ["prefixItems", "allOf", "anyOf", "oneOf"];
const MAPS: readonly string[] = ["properties", "$defs", "definitions"];

const NULL = { type: "null" };

/**
 * Converts a schema to JSON Schema 2020-12. Clients of OpenAPI 3.0 write `nullable: true` for a schema that also
 * accepts null, and those of draft 7 write the schemas of a tuple as `items`, with `additionalItems` for further
 * elements. Everything else stays in place, so that references remain valid.
 *
 * @param schema Its depth must be bounded.
 */
export function modernSchema(schema: SchemaObject): SchemaObject {
  const plain = Object.fromEntries(
    Object.entries(tuples(schema)).map(([keyword, value]) => [keyword, inner(keyword, value)]),
  );
  return plain.nullable === true ? orNull(plain) : plain;
}

function tuples(schema: SchemaObject): SchemaObject {
  if (!Array.isArray(schema.items)) return schema;
  const { items: prefixItems, additionalItems: items, ...rest } = schema;
  return { ...rest, prefixItems, ...items === undefined ? {} : { items } };
}

function inner(keyword: string, value: unknown): unknown {
  if (LISTS.includes(keyword) && Array.isArray(value)) return value.map(whole);
  if (SINGLE.includes(keyword)) return whole(value);
  if (!MAPS.includes(keyword) || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, whole(schema)]));
}

function whole(schema: unknown): unknown {
  return isObject(schema) ? modernSchema(schema) : schema;
}

function orNull({ nullable: _, ...schema }: SchemaObject): SchemaObject {
  const { type, enum: values, const: value, ...rest } = schema;
  const composed = COMPOSITIONS.filter((keyword) => Object.hasOwn(rest, keyword));
  const others = Object.entries(rest).filter(([keyword]) => !(composed as readonly string[]).includes(keyword));
  const parts = Object.fromEntries(composed.map((keyword) => [keyword, rest[keyword]]));
  return {
    ...Object.fromEntries(others),
    ...type === undefined ? {} : { type: [...new Set([type, "null"].flat())] },
    ...Array.isArray(values) ? { enum: [...new Set([...values, null])] } : {},
    ...value === undefined ? {} : { enum: [value, null] },
    ...composed.length === 0 ? {} : { anyOf: [parts, NULL] },
  };
}
