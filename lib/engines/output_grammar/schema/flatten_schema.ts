/**
 * Flattens schemas: resolves references and compositions.
 *
 * @module
 */
import {
  type AllOf,
  ANYTHING,
  areDisjoint,
  followPointer,
  MergeError,
  mergePlain,
  type PlainSchema,
  type SchemaPlace,
} from "./plain_schema.ts";
import { isSchema, readPlain } from "./read_plain.ts";
import type { SchemaBudget } from "./schema_limits.ts";
import { type SchemaObject, unsupportedKeyword, wrongKeyword, wrongSchema } from "./schema_rules.ts";

/** Compositions multiply: more alternatives would only make a grammar large. */
const MAX_ALTERNATIVES = 1000;

/** Maximum number of properties compared to distinguish alternatives. */
const MAX_COMPARED = 10_000;

/** Maximum length of a chain of references. */
const LONGEST_CHAIN = 200;

/** Flattens schemas into alternatives. Each schema is flattened once, however many references lead to it. */
export class SchemaFlattener {
  readonly #relaxed: boolean;
  readonly #budget: SchemaBudget;
  readonly #known = new Map<SchemaObject, { readonly base: SchemaObject; readonly found: PlainSchema[] }>();
  #tolerant: SchemaFlattener | undefined;

  /** @param relaxed Whether what cannot be kept to is passed over. */
  constructor(relaxed: boolean, budget: SchemaBudget) {
    this.#relaxed = relaxed;
    this.#budget = budget;
  }

  /**
   * Alternatives, one of which a value must satisfy.
   *
   * @throws {SvcError} with the path of what is wrong or cannot be kept to, or when the budget is spent.
   */
  flatten(places: AllOf): PlainSchema[] {
    return this.#all(places, []);
  }

  /** @param chain Schemas that lead here at the same position of the value. */
  #all(places: AllOf, chain: readonly SchemaObject[]): PlainSchema[] {
    let together: PlainSchema[] = [ANYTHING];
    for (const place of places) together = this.#product(together, this.#one(place, chain), place.path);
    return together;
  }

  #one(place: SchemaPlace, chain: readonly SchemaObject[]): PlainSchema[] {
    const { schema, path } = place;
    if (typeof schema === "boolean") return schema ? [ANYTHING] : [];
    const known = this.#known.get(schema);
    if (known?.base === place.base) return known.found;
    this.#budget.spend(1 + chain.length, path);
    if (chain.includes(schema)) throw wrongSchema(path, "it refers to itself at the same position");
    if (chain.length >= LONGEST_CHAIN) {
      throw wrongSchema(path, `it is reached through more than ${LONGEST_CHAIN} references`);
    }
    const found = this.#parts(place, schema, [...chain, schema]);
    this.#known.set(schema, { base: place.base, found });
    return found;
  }

  #parts(place: SchemaPlace, schema: SchemaObject, inner: readonly SchemaObject[]): PlainSchema[] {
    const { path } = place;
    const here = typeof schema.$id === "string" ? { ...place, base: schema } : place;
    let found = [readPlain(here, schema, this.#relaxed)];
    if (schema.$ref !== undefined) {
      const target = this.#resolve(here, schema.$ref);
      if (target !== undefined) found = this.#product(found, this.#one(target, inner), path);
    }
    for (const each of this.#list(here, schema, "allOf")) {
      found = this.#product(found, this.#one(each, inner), path);
    }
    if (schema.anyOf !== undefined) {
      const branches = this.#list(here, schema, "anyOf").map((each) => this.#one(each, inner));
      found = this.#product(found, branches.flat(), path);
    }
    if (schema.oneOf !== undefined) {
      const branches = this.#list(here, schema, "oneOf").map((each) => this.#one(each, inner));
      if (!this.#relaxed) this.#checkDisjoint(branches, path, schema.oneOf);
      found = this.#product(found, branches.flat(), path);
    }
    return found;
  }

  #product(a: readonly PlainSchema[], b: readonly PlainSchema[], path: string): PlainSchema[] {
    if (a.length * b.length > MAX_ALTERNATIVES) {
      throw wrongSchema(path, `it has more than ${MAX_ALTERNATIVES} alternatives`);
    }
    const merge = (one: PlainSchema, other: PlainSchema): PlainSchema | undefined => {
      this.#budget.spend(mergeSteps(one, other), path);
      return mergePlain(one, other);
    };
    try {
      return a.flatMap((one) => b.map((other) => merge(one, other)).filter((both) => both !== undefined));
    } catch (error) {
      if (!(error instanceof MergeError)) throw error;
      if (this.#relaxed) return [...a];
      throw wrongSchema(error.path, error.message);
    }
  }

  #list(place: SchemaPlace, schema: SchemaObject, keyword: "allOf" | "anyOf" | "oneOf"): SchemaPlace[] {
    const list = schema[keyword];
    if (list === undefined) return [];
    const path = `${place.path}.${keyword}`;
    if (!Array.isArray(list) || list.length === 0 || !list.every(isSchema)) {
      throw wrongKeyword(path, list, "an array of schemas");
    }
    return list.map((each, i) => ({ schema: each, base: place.base, path: `${path}[${i}]` }));
  }

  /** Values that two alternatives allow must be excluded: exactly one of them may hold. */
  #checkDisjoint(branches: readonly PlainSchema[][], path: string, value: unknown): void {
    let compared = 0;
    // Alternatives within properties are checked at their own position.
    const tolerant = this.#tolerant ??= new SchemaFlattener(true, this.#budget);
    const flatten = (places: AllOf): PlainSchema[] => {
      if (++compared > MAX_COMPARED) throw wrongSchema(`${path}.oneOf`, "it has too many alternatives to compare");
      return tolerant.flatten(places);
    };
    for (const [i, branch] of branches.entries()) {
      for (const other of branches.slice(i + 1)) {
        this.#budget.spend(branch.length * other.length, `${path}.oneOf`);
        if (branch.every((a) => other.every((b) => areDisjoint(a, b, flatten)))) continue;
        const expected = 'expected alternatives of which only one can hold, such as by a "const", or anyOf';
        throw unsupportedKeyword(`${path}.oneOf`, value, expected);
      }
    }
  }

  /** The target of a reference; undefined when it cannot be resolved and relaxed mode ignores it. */
  #resolve({ base, path }: SchemaPlace, ref: unknown): SchemaPlace | undefined {
    const target = typeof ref === "string" && /^#(\/|$)/.test(ref) ? followPointer(base, ref.slice(1)) : undefined;
    if (isSchema(target)) return { schema: target, base, path: path.endsWith(".$ref") ? path : `${path}.$ref` };
    if (this.#relaxed) return undefined;
    throw unsupportedKeyword(
      `${path}.$ref`,
      ref,
      "expected a reference to a schema within this one, such as #/$defs/a",
    );
  }
}

/** What putting two schemas together costs: their members one by one, their values each with each. */
function mergeSteps(a: PlainSchema, b: PlainSchema): number {
  if (a === ANYTHING || b === ANYTHING) return 1;
  const members = a.properties.size + b.properties.size + a.required.size + b.required.size;
  return 4 + members + a.prefix.length + b.prefix.length + (a.values?.length ?? 1) * (b.values?.length ?? 1);
}
