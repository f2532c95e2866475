/**
 * Reads the keywords of one schema.
 *
 * @module
 */
import { type AllOf, ANYTHING, type PlainSchema, type SchemaPlace } from "./plain_schema.ts";
import {
  COMPOSITIONS,
  isRule,
  saysNothing,
  type Schema,
  type SchemaObject,
  type SchemaType,
  TYPES,
  unsupportedKeyword,
  wrongKeyword,
} from "./schema_rules.ts";
import { isObject } from "../../../json/json_text.ts";

/**
 * Reads the keywords of a schema, except references and compositions.
 *
 * @param relaxed Whether keywords that cannot be kept to are passed over.
 * @throws {SvcError} with the path of a keyword that is not known, cannot be kept to or has a wrong value.
 */
export function readPlain(place: SchemaPlace, schema: SchemaObject, relaxed: boolean): PlainSchema {
  const { base, path } = place;
  const reader = new KeywordReader(schema, base, path);
  for (const [keyword, value] of Object.entries(schema)) {
    const known = isRule(keyword) || (COMPOSITIONS as readonly string[]).includes(keyword) ||
      saysNothing(keyword, value);
    if (known || relaxed) continue;
    throw unsupportedKeyword(`${path}.${keyword}`, value, `expected a schema without "${keyword}"`);
  }
  const keywords = Object.keys(schema).filter(isRule);
  if (keywords.length === 0) return ANYTHING;
  const prefix = Array.isArray(schema.items) ? "items" : "prefixItems";
  const items = Array.isArray(schema.items) ? "additionalItems" : "items";
  return {
    types: reader.types(),
    values: reader.values(),
    properties: reader.schemaMap("properties"),
    required: reader.names("required"),
    additional: reader.schema("additionalProperties"),
    names: reader.schema("propertyNames") ?? [],
    prefix: reader.schemaList(prefix),
    items: reader.schema(items),
    minItems: reader.count("minItems") ?? 0,
    maxItems: reader.count("maxItems") ?? Infinity,
    minLength: reader.count("minLength") ?? 0,
    maxLength: reader.count("maxLength") ?? Infinity,
    pattern: reader.text("pattern"),
    format: reader.text("format"),
    bounds: reader.bounds(),
    paths: new Map(keywords.map((keyword) => [keyword, `${path}.${keyword}`])),
  };
}

/** Reads keyword values; undefined stands for absent ones. */
class KeywordReader {
  readonly #schema: SchemaObject;
  readonly #base: SchemaObject;
  readonly #path: string;

  constructor(schema: SchemaObject, base: SchemaObject, path: string) {
    this.#schema = schema;
    this.#base = base;
    this.#path = path;
  }

  types(): ReadonlySet<SchemaType> | undefined {
    const given = this.#get(
      "type",
      (value) => typeof value === "string" || isTexts(value),
      "a type or an array of types",
    );
    if (given === undefined) return undefined;
    const types = typeof given === "string" ? [given] : given as string[];
    const wrong = types.find((type) => !(TYPES as readonly string[]).includes(type));
    if (wrong !== undefined) throw wrongKeyword(`${this.#path}.type`, wrong, `one of ${TYPES.join(", ")}`);
    return new Set(types as SchemaType[]);
  }

  values(): readonly unknown[] | undefined {
    const list = this.#get("enum", (value) => Array.isArray(value) && value.length > 0, "an array of values");
    if (!Object.hasOwn(this.#schema, "const")) return list as unknown[] | undefined;
    return [this.#schema.const];
  }

  schema(keyword: string): AllOf | undefined {
    const schema = this.#get(keyword, isSchema, "a schema");
    return schema === undefined ? undefined : [this.#place(schema as Schema, keyword)];
  }

  schemaList(keyword: string): readonly AllOf[] {
    const list = this.#get(keyword, (value) => Array.isArray(value) && value.every(isSchema), "an array of schemas");
    return (list as Schema[] | undefined ?? []).map((schema, i) => [this.#place(schema, `${keyword}[${i}]`)]);
  }

  schemaMap(keyword: string): ReadonlyMap<string, AllOf> {
    const expected = "an object of schemas";
    const map = this.#get(keyword, (value) => isObject(value) && Object.values(value).every(isSchema), expected);
    const entries = Object.entries(map as Record<string, Schema> | undefined ?? {});
    return new Map(entries.map(([name, schema]) => [name, [this.#place(schema, `${keyword}.${name}`)]]));
  }

  names(keyword: string): ReadonlySet<string> {
    return new Set(this.#get(keyword, isTexts, "an array of names") as string[] | undefined);
  }

  count(keyword: string): number | undefined {
    return this.#get(
      keyword,
      (value) => Number.isInteger(value) && (value as number) >= 0,
      "an integer of at least 0",
    ) as
      | number
      | undefined;
  }

  text(keyword: string): string | undefined {
    return this.#get(keyword, (value) => typeof value === "string", "a string") as string | undefined;
  }

  bounds(): PlainSchema["bounds"] {
    const { min, above } = this.#bound("minimum", "exclusiveMinimum", -Infinity, Math.max);
    const { min: max, above: below } = this.#bound("maximum", "exclusiveMaximum", Infinity, Math.min);
    return { min, max, aboveMin: above, belowMax: below };
  }

  /** The tighter of both kinds of bounds. */
  #bound(
    inclusive: string,
    exclusive: string,
    none: number,
    tighter: (a: number, b: number) => number,
  ): { readonly min: number; readonly above: boolean } {
    const read = (keyword: string) =>
      this.#get(keyword, (value) => typeof value === "number" && Number.isFinite(value), "a number") as
        | number
        | undefined;
    const outer = read(exclusive);
    const min = tighter(read(inclusive) ?? none, outer ?? none);
    return { min, above: outer === min };
  }

  #get(keyword: string, isRight: (value: unknown) => boolean, expected: string): unknown {
    if (!Object.hasOwn(this.#schema, keyword)) return undefined;
    const value = this.#schema[keyword];
    if (!isRight(value)) throw wrongKeyword(`${this.#path}.${keyword}`, value, expected);
    return value;
  }

  #place(schema: Schema, step: string): SchemaPlace {
    return { schema, base: this.#base, path: `${this.#path}.${step}` };
  }
}

/** Whether a value has the form of a schema. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === "boolean" || isObject(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
