/**
 * Validates values, independent of grammars, at a cost that no schema can drive up: each schema is applied to each part of
 * a value once, however many references lead to it.
 *
 * @module
 */
import { isObject } from "../../json/json_text.ts";
import { equalJson, followPointer, isOfType } from "./schema/plain_schema.ts";
import type { SchemaObject, SchemaType } from "./schema/schema_rules.ts";

/** A rule that a value breaks. */
export interface BrokenRule {
  /** JSON pointer of the part that breaks it; empty for the whole value. */
  readonly path: string;
  /** Such as `must be string`. */
  readonly rule: string;
}

/** Steps of a tenth of a microsecond or so. */
const MAX_STEPS = 5_000_000;

/** Schemas within one another, so that no value overflows the stack. */
const MAX_DEPTH = 1_000;

/**
 * The first rule of a schema that a value breaks; undefined for none. Patterns and formats are not tested: a client's
 * pattern can take a backtracking matcher forever.
 *
 * @param schema As `outputGrammar` accepts it without being relaxed, in its modern form.
 * @param maxSteps After so many steps, what is left counts as right: the grammar has held it to the schema already.
 */
export function brokenRule(schema: SchemaObject, value: unknown, maxSteps: number = MAX_STEPS): BrokenRule | undefined {
  return new ValueCheck(maxSteps).check(schema, schema, new Part(value, ""));
}

/** A part of a value, with what schemas say about it. */
class Part {
  readonly value: unknown;
  readonly path: string;
  readonly known = new Map<SchemaObject, { readonly base: SchemaObject; readonly broken: BrokenRule | undefined }>();
  #inner: Map<string, Part> | undefined;

  constructor(value: unknown, path: string) {
    this.value = value;
    this.path = path;
  }

  /** Elements and members, by index or name. */
  get inner(): ReadonlyMap<string, Part> {
    if (this.#inner !== undefined) return this.#inner;
    const entries = typeof this.value === "object" && this.value !== null ? Object.entries(this.value) : [];
    const escape = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
    return this.#inner = new Map(
      entries.map(([name, inner]) => [name, new Part(inner, `${this.path}/${escape(name)}`)]),
    );
  }
}

/** The values of an `enum`: those that are equal as texts, and the others. */
interface Choices {
  readonly plain: ReadonlySet<unknown>;
  readonly nested: readonly unknown[];
}

class ValueCheck {
  #left: number;
  #depth = 0;
  readonly #choices = new Map<readonly unknown[], Choices>();

  constructor(maxSteps: number) {
    this.#left = maxSteps;
  }

  /** @param base What `#` refers to. */
  check(schema: unknown, base: SchemaObject, part: Part): BrokenRule | undefined {
    if (schema === false) return { path: part.path, rule: "must not be there" };
    if (!isObject(schema) || --this.#left < 0) return undefined;
    const known = part.known.get(schema);
    if (known?.base === base) return known.broken;
    if (this.#depth >= MAX_DEPTH) return undefined;
    this.#depth++;
    const here = typeof schema.$id === "string" ? schema : base;
    const broken = this.#own(schema, part) ?? this.#composed(schema, here, part) ?? this.#within(schema, here, part);
    this.#depth--;
    part.known.set(schema, { base, broken });
    return broken;
  }

  /** What a schema says about the value itself. */
  #own(schema: SchemaObject, { value, path }: Part): BrokenRule | undefined {
    const must = (rule: string): BrokenRule => ({ path, rule: `must ${rule}` });
    const { type } = schema;
    if (type !== undefined) {
      const types = [type].flat() as SchemaType[];
      if (!isOfType(value, new Set(types))) return must(`be ${types.join(" or ")}`);
    }
    if (Object.hasOwn(schema, "const") && !equalJson(value, schema.const)) return must("be equal to the constant");
    if (Array.isArray(schema.enum) && !this.#isIn(schema.enum, value)) return must("be one of the allowed values");
    const limit = (keyword: string): number => typeof schema[keyword] === "number" ? schema[keyword] : NaN;
    if (typeof value === "number") {
      if (value < limit("minimum")) return must(`be >= ${limit("minimum")}`);
      if (value > limit("maximum")) return must(`be <= ${limit("maximum")}`);
      if (value <= limit("exclusiveMinimum")) return must(`be > ${limit("exclusiveMinimum")}`);
      if (value >= limit("exclusiveMaximum")) return must(`be < ${limit("exclusiveMaximum")}`);
    }
    if (typeof value === "string" && ("minLength" in schema || "maxLength" in schema)) {
      const { length } = Array.from(value);
      if (length < limit("minLength")) return must(`have at least ${limit("minLength")} characters`);
      if (length > limit("maxLength")) return must(`have at most ${limit("maxLength")} characters`);
    }
    if (Array.isArray(value)) {
      if (value.length < limit("minItems")) return must(`have at least ${limit("minItems")} items`);
      if (value.length > limit("maxItems")) return must(`have at most ${limit("maxItems")} items`);
    }
    if (isObject(value) && Array.isArray(schema.required)) {
      const missing = schema.required.find((name: string) => !Object.hasOwn(value, name));
      if (missing !== undefined) return must(`have the property ${JSON.stringify(missing)}`);
    }
    return undefined;
  }

  /** Other schemas at the same position. */
  #composed(schema: SchemaObject, base: SchemaObject, part: Part): BrokenRule | undefined {
    const list = (keyword: string): readonly unknown[] => Array.isArray(schema[keyword]) ? schema[keyword] : [];
    if (typeof schema.$ref === "string") {
      const broken = this.check(followPointer(base, schema.$ref.slice(1)), base, part);
      if (broken) return broken;
    }
    for (const each of list("allOf")) {
      const broken = this.check(each, base, part);
      if (broken) return broken;
    }
    const holding = (keyword: string) => list(keyword).filter((each) => !this.check(each, base, part)).length;
    if (Array.isArray(schema.anyOf) && !list("anyOf").some((each) => !this.check(each, base, part))) {
      return { path: part.path, rule: "must match a schema in anyOf" };
    }
    if (Array.isArray(schema.oneOf) && holding("oneOf") !== 1 && this.#left > 0) {
      return { path: part.path, rule: "must match exactly one schema in oneOf" };
    }
    return undefined;
  }

  /** The schemas of elements and members. */
  #within(schema: SchemaObject, base: SchemaObject, part: Part): BrokenRule | undefined {
    if (Array.isArray(part.value)) {
      const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
      for (const [i, inner] of [...part.inner.values()].entries()) {
        const broken = this.check(i < prefix.length ? prefix[i] : schema.items, base, inner);
        if (broken) return broken;
      }
      return undefined;
    }
    if (!isObject(part.value)) return undefined;
    const properties = isObject(schema.properties) ? schema.properties : {};
    for (const [name, inner] of part.inner) {
      const own = Object.hasOwn(properties, name);
      const broken = this.check(own ? properties[name] : schema.additionalProperties, base, inner) ??
        (schema.propertyNames === undefined ? undefined : this.check(schema.propertyNames, base, new Part(name, "")));
      if (broken) return broken.path === "" ? { path: part.path, rule: "must have other property names" } : broken;
    }
    return undefined;
  }

  #isIn(values: readonly unknown[], value: unknown): boolean {
    let choices = this.#choices.get(values);
    if (choices === undefined) {
      const nested = values.filter((each) => typeof each === "object" && each !== null);
      this.#choices.set(values, choices = { plain: new Set(values), nested });
    }
    this.#left -= typeof value === "object" ? choices.nested.length : 0;
    return choices.plain.has(value) || choices.nested.some((each) => equalJson(each, value));
  }
}
