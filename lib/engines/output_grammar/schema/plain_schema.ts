/**
 * Schemas decomposed by type: when two of them hold together, and when they exclude each other.
 *
 * @module
 */
import type { NumberBounds } from "../number_range.ts";
import type { Schema, SchemaObject, SchemaType } from "./schema_rules.ts";

/** A schema with its position. */
export interface SchemaPlace {
  readonly schema: Schema;
  /** What `#` refers to. */
  readonly base: SchemaObject;
  /** For errors, such as `response_format.json_schema.schema.properties.a`. */
  readonly path: string;
}

/** Schemas that must all hold; an empty list accepts everything. */
export type AllOf = readonly SchemaPlace[];

/** A schema without references and alternatives. */
export interface PlainSchema {
  /** Undefined for all types. */
  readonly types: ReadonlySet<SchemaType> | undefined;
  /** The only allowed values; undefined for any. */
  readonly values: readonly unknown[] | undefined;
  readonly properties: ReadonlyMap<string, AllOf>;
  readonly required: ReadonlySet<string>;
  /** For properties without a schema of their own; undefined when unspecified. */
  readonly additional: AllOf | undefined;
  readonly names: AllOf;
  readonly prefix: readonly AllOf[];
  /** For elements after `prefix`; undefined when unspecified. */
  readonly items: AllOf | undefined;
  readonly minItems: number;
  readonly maxItems: number;
  readonly minLength: number;
  readonly maxLength: number;
  readonly pattern: string | undefined;
  readonly format: string | undefined;
  readonly bounds: NumberBounds;
  /** Path of each keyword. */
  readonly paths: ReadonlyMap<string, string>;
}

/** Accepts every value. */
export const ANYTHING: PlainSchema = {
  types: undefined,
  values: undefined,
  properties: new Map(),
  required: new Set(),
  additional: undefined,
  names: [],
  prefix: [],
  items: undefined,
  minItems: 0,
  maxItems: Infinity,
  minLength: 0,
  maxLength: Infinity,
  pattern: undefined,
  format: undefined,
  bounds: { min: -Infinity, max: Infinity, aboveMin: false, belowMax: false },
  paths: new Map(),
};

/** Two schemas whose rules cannot be combined. */
export class MergeError extends Error {
  override name = "MergeError";
  readonly path: string;

  constructor(path: string) {
    super("it applies to the same position as another one");
    this.path = path;
  }
}

/**
 * The conjunction of two schemas; undefined when no value satisfies both.
 *
 * @throws {MergeError} for two patterns or formats.
 */
export function mergePlain(a: PlainSchema, b: PlainSchema): PlainSchema | undefined {
  if (a === ANYTHING) return b;
  if (b === ANYTHING) return a;
  const paths = new Map([...a.paths, ...b.paths]);
  const types = mergeTypes(a.types, b.types);
  if (types?.size === 0) return undefined;
  const values = a.values === undefined || b.values === undefined
    ? a.values ?? b.values
    : a.values.filter((value) => b.values!.some((other) => equalJson(value, other)));
  if (values?.length === 0) return undefined;
  const names = new Set([...a.properties.keys(), ...b.properties.keys()]);
  const property = (of: PlainSchema, name: string): AllOf => of.properties.get(name) ?? of.additional ?? [];
  const element = (of: PlainSchema, i: number): AllOf => of.prefix[i] ?? of.items ?? [];
  return {
    types,
    values,
    properties: new Map([...names].map((name) => [name, join(property(a, name), property(b, name))])),
    required: new Set([...a.required, ...b.required]),
    additional: joinSaid(a.additional, b.additional),
    names: join(a.names, b.names),
    prefix: Array.from(
      { length: Math.max(a.prefix.length, b.prefix.length) },
      (_, i) => join(element(a, i), element(b, i)),
    ),
    items: joinSaid(a.items, b.items),
    minItems: Math.max(a.minItems, b.minItems),
    maxItems: Math.min(a.maxItems, b.maxItems),
    minLength: Math.max(a.minLength, b.minLength),
    maxLength: Math.min(a.maxLength, b.maxLength),
    pattern: onlyOne(a.pattern, b.pattern, paths.get("pattern")),
    format: onlyOne(a.format, b.format, paths.get("format")),
    bounds: mergeBounds(a.bounds, b.bounds),
    paths,
  };
}

/** The common types; every integer is a number. */
function mergeTypes(
  a: PlainSchema["types"],
  b: PlainSchema["types"],
): ReadonlySet<SchemaType> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const isIn = (type: SchemaType, types: ReadonlySet<SchemaType>): boolean =>
    types.has(type) || (type === "integer" && types.has("number"));
  return new Set([...[...a].filter((type) => isIn(type, b)), ...[...b].filter((type) => isIn(type, a))]);
}

function mergeBounds(a: NumberBounds, b: NumberBounds): NumberBounds {
  const [min, max] = [Math.max(a.min, b.min), Math.min(a.max, b.max)];
  return {
    min,
    max,
    aboveMin: (a.min === min && a.aboveMin) || (b.min === min && b.aboveMin),
    belowMax: (a.max === max && a.belowMax) || (b.max === max && b.belowMax),
  };
}

function join(a: AllOf, b: AllOf): AllOf {
  return [...a, ...b.filter(({ schema }) => !a.some((one) => one.schema === schema))];
}

function joinSaid(a: AllOf | undefined, b: AllOf | undefined): AllOf | undefined {
  return a === undefined || b === undefined ? a ?? b : join(a, b);
}

function onlyOne(a: string | undefined, b: string | undefined, path: string | undefined): string | undefined {
  if (a !== undefined && b !== undefined && a !== b) throw new MergeError(path ?? "");
  return a ?? b;
}

/** Flattens schemas into alternatives. */
type Flatten = (places: AllOf) => readonly PlainSchema[];

/** Maximum depth of compared objects. */
const DEEPEST = 3;

/**
 * Whether it is certain that no value satisfies both: their types or values differ, or objects have a property that
 * distinguishes them, such as a `const`. False also when it cannot be determined.
 */
export function areDisjoint(a: PlainSchema, b: PlainSchema, flatten: Flatten, depth: number = DEEPEST): boolean {
  if (a.values !== undefined && b.values !== undefined) {
    return !a.values.some((value) => b.values!.some((other) => equalJson(value, other)));
  }
  const types = mergeTypes(a.types, b.types);
  if (types?.size === 0) return true;
  const values = a.values ?? b.values;
  if (values !== undefined) return types !== undefined && !values.some((value) => isOfType(value, types));
  if (types === undefined || types.size !== 1 || !types.has("object") || depth === 0) return false;
  return hasTelling(a, b, flatten, depth) || hasTelling(b, a, flatten, depth);
}

/** Whether `a` requires a property without a common value in `b`. */
function hasTelling(a: PlainSchema, b: PlainSchema, flatten: Flatten, depth: number): boolean {
  return [...a.required].some((name) => {
    const [left, right] = [a.properties.get(name) ?? a.additional ?? [], b.properties.get(name) ?? b.additional ?? []];
    // Comparing recursive references would not terminate.
    if (left.length === 0 && right.length === 0) return false;
    const [these, those] = [flatten(left), flatten(right)];
    return these.every((one) => those.every((other) => areDisjoint(one, other, flatten, depth - 1)));
  });
}

/** Whether two values are equal in JSON Schema: the order of members does not matter. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), b as Record<string, unknown>];
  return left.length === Object.keys(right).length &&
    left.every(([key, value]) => Object.hasOwn(right, key) && equalJson(value, right[key]));
}

/** The narrowest type of a value. */
function typeOf(value: unknown): SchemaType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "boolean" | "string" | "object";
}

/** Whether a value has one of these types; every integer is a number. */
export function isOfType(value: unknown, types: ReadonlySet<SchemaType>): boolean {
  const type = typeOf(value);
  return types.has(type) || (type === "integer" && types.has("number"));
}

/** What a JSON pointer (RFC 6901), percent-decoded as in a URI fragment, leads to; undefined for nothing. */
export function followPointer(base: SchemaObject, pointer: string): unknown {
  let value: unknown = base;
  for (const step of pointer.split("/").slice(1)) {
    const key = unescape(step);
    if (typeof value !== "object" || value === null || key === undefined || !Object.hasOwn(value, key)) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function unescape(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
}
