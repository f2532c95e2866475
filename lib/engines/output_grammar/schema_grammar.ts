/**
 * Compiles schemas into grammars.
 *
 * @module
 */
import {
  choice,
  EMPTY,
  type Expression,
  type Grammar,
  NEVER,
  optional,
  repeat,
  rule,
  sequence,
  text,
} from "./expression.ts";
import { SchemaFlattener } from "./schema/flatten_schema.ts";
import {
  anyArray,
  anyInteger,
  anyNumber,
  anyObject,
  anyString,
  anyValue,
  comma,
  gap,
  jsonLiterals,
  memberKey,
} from "./json_grammar.ts";
import { type AllOf, ANYTHING, isOfType, type PlainSchema, type SchemaPlace } from "./schema/plain_schema.ts";
import { decimalBetween, integerBetween } from "./number_range.ts";
import { OTHER_KEYS, otherKeys } from "./excluded_texts.ts";
import type { SchemaBudget } from "./schema/schema_limits.ts";
import { misplacedKeyword, RULES, type SchemaType, unsupportedKeyword, wrongSchema } from "./schema/schema_rules.ts";
import { stringGrammar, StringRuleError } from "./string_grammar.ts";

/** Maximum number of rules of a schema. */
const MAX_RULES = 5_000;

/** Arrays are never made longer, which satisfies a larger limit too. */
const LONGEST_ARRAY = 10_000;

/** How strictly a schema is followed. */
export interface SchemaOptions {
  /** Whether values contain only what the schema names, where it allows more. */
  readonly closed: boolean;
  /** Whether unsupported parts are ignored rather than an error. */
  readonly relaxed: boolean;
}

/** Adds the rules of a schema to a grammar. */
export class SchemaGrammar {
  readonly rules: Map<string, Expression>;
  readonly #options: SchemaOptions;
  readonly #flattener: SchemaFlattener;
  readonly #names = new Map<string, string>();
  readonly #ids = new Map<unknown, number>();
  readonly #open: { readonly name: string; readonly places: AllOf }[] = [];

  constructor(rules: Grammar["rules"], options: SchemaOptions, budget: SchemaBudget) {
    this.rules = new Map(rules);
    this.#options = options;
    this.#flattener = new SchemaFlattener(options.relaxed, budget);
  }

  /**
   * The values that satisfy a schema.
   *
   * @throws {SvcError} with the path of what is wrong or cannot be kept to.
   */
  add(place: SchemaPlace): Expression {
    const root = this.#value([place]);
    // Iterative: mutually recursive schemas would overflow the stack.
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      if (this.rules.size > MAX_RULES) throw wrongSchema(place.path, `it expands to more than ${MAX_RULES} rules`);
      const alternatives = this.#flattener.flatten(next.places);
      this.rules.set(next.name, choice(...alternatives.map((plain) => this.#plain(plain))));
    }
    return root;
  }

  /** The rule for schemas that must all hold. Equal schemas share a rule, so that recursive references terminate. */
  #value(places: AllOf): Expression {
    if (places.every(({ schema }) => schema === true)) return anyValue;
    const key = places.map((place) => `${this.#id(place.schema)}.${this.#id(place.base)}`).sort().join(" ");
    let name = this.#names.get(key);
    if (name === undefined) {
      this.#names.set(key, name = `s${this.#names.size}`);
      this.rules.set(name, NEVER); // placeholder until it is created
      this.#open.push({ name, places });
    }
    return rule(name);
  }

  #id(value: unknown): number {
    const id = this.#ids.get(value) ?? this.#ids.size;
    this.#ids.set(value, id);
    return id;
  }

  #rule(expression: Expression): Expression {
    const name = `p${this.rules.size}`;
    this.rules.set(name, expression);
    return rule(name);
  }

  #plain(plain: PlainSchema): Expression {
    if (plain === ANYTHING) return anyValue;
    if (plain.values !== undefined) return this.#values(plain, plain.values);
    return choice(...[...impliedTypes(plain)].map((type) => this.#typed(type, plain)));
  }

  #values(plain: PlainSchema, values: readonly unknown[]): Expression {
    const { types, paths } = plain;
    const beside = [...paths].find(([keyword]) => !["type", "enum", "const"].includes(keyword));
    if (beside !== undefined && !this.#options.relaxed) {
      throw misplacedKeyword(beside[1], '"enum" or "const"');
    }
    return jsonLiterals(types === undefined ? values : values.filter((value) => isOfType(value, types)));
  }

  #typed(type: SchemaType, plain: PlainSchema): Expression {
    switch (type) {
      case "null":
        return text("null");
      case "boolean":
        return choice(text("true"), text("false"));
      case "integer":
        return isBounded(plain) ? integerBetween(plain.bounds) : anyInteger;
      case "number":
        return isBounded(plain) ? decimalBetween(plain.bounds) : anyNumber;
      case "string":
        return this.#string(plain);
      case "array":
        return this.#array(plain);
      case "object":
        return this.#object(plain);
    }
  }

  #string(plain: PlainSchema): Expression {
    try {
      return stringGrammar(plain);
    } catch (error) {
      if (!(error instanceof StringRuleError)) throw error;
      if (this.#options.relaxed) return anyString;
      const value = error.keyword === "minLength" ? plain.minLength : plain[error.keyword];
      throw unsupportedKeyword(plain.paths.get(error.keyword) ?? error.keyword, value, error.message);
    }
  }

  #array({ prefix, items, minItems, maxItems }: PlainSchema): Expression {
    if (prefix.length === 0 && items === undefined && minItems === 0 && maxItems === Infinity) return anyArray;
    const max = maxItems === Infinity ? Infinity : Math.min(maxItems, LONGEST_ARRAY);
    if (minItems > max) return NEVER;
    const isOpen = items !== undefined || prefix.length === 0 || !this.#options.closed;
    const element = isOpen ? this.#value(items ?? []) : NEVER;
    const count = Math.max(1, Math.min(prefix.length, max));
    // The remaining elements, built from the last to the first.
    let rest = max > count ? repeat(sequence(comma, element), Math.max(0, minItems - count), max - count) : EMPTY;
    for (let i = count - 1; i >= 0 && max > 0; i--) {
      const here = sequence(...i === 0 ? [] : [comma], i < prefix.length ? this.#value(prefix[i]) : element, rest);
      rest = this.#rule(i < minItems ? here : optional(here));
    }
    return sequence(text("["), gap, rest, gap, text("]"));
  }

  #object(plain: PlainSchema): Expression {
    const { properties, required, additional, names } = plain;
    if (properties.size + required.size + names.length === 0 && additional === undefined) return anyObject;
    const declared = new Map(properties);
    for (const name of required) if (!declared.has(name)) declared.set(name, additional ?? []);
    const isOpen = additional !== undefined || properties.size === 0 || !this.#options.closed;
    const { isAllowed, key } = this.#keys(names, [...declared.keys()]);
    const other = isOpen
      ? this.#rule(sequence(key, text(":"), optional(text(" ")), this.#value(additional ?? [])))
      : NEVER;
    const members = [...declared].filter(([name, places]) =>
      required.has(name) || (isAllowed(name) && !places.some(({ schema }) => schema === false))
    );
    // The remaining members, built from the last to the first: with none before, and with some.
    let next = repeat(sequence(comma, other), 0, Infinity);
    let first = optional(sequence(other, next));
    for (const [name, places] of members.reverse()) {
      const member = isAllowed(name) ? sequence(memberKey(name), this.#value(places)) : NEVER;
      const [taken, omitted] = [this.#rule(next), this.#rule(first)];
      const isFree = !required.has(name);
      first = isFree ? choice(sequence(member, taken), omitted) : sequence(member, taken);
      next = isFree ? choice(sequence(comma, member, taken), taken) : sequence(comma, member, taken);
    }
    return sequence(text("{"), gap, first, gap, text("}"));
  }

  /** The keys of undeclared members. Written once: there is a rule for each letter that declared names begin with. */
  #otherKey(declared: readonly string[]): Expression {
    if (declared.length === 0) return anyString;
    const name = `${OTHER_KEYS}${this.rules.size}`;
    this.rules.set(name, otherKeys(declared));
    return rule(name);
  }

  /** The names that `propertyNames` allows, and the keys of undeclared members. */
  #keys(
    names: AllOf,
    declared: readonly string[],
  ): { readonly isAllowed: (name: string) => boolean; readonly key: Expression } {
    const plains = this.#flattener.flatten(names)
      .filter(({ types }) => types === undefined || types.has("string"));
    if (plains.some(allowsEveryString)) return { isAllowed: () => true, key: this.#otherKey(declared) };
    if (plains.every(({ values }) => values !== undefined)) {
      const allowed = new Set(plains.flatMap(({ values = [] }) => values).filter((value) => typeof value === "string"));
      const free = [...allowed].filter((name) => !declared.includes(name));
      return { isAllowed: (name) => allowed.has(name), key: jsonLiterals(free) };
    }
    if (declared.length > 0) {
      if (this.#options.relaxed) return { isAllowed: () => true, key: this.#otherKey(declared) };
      throw misplacedKeyword(names[0].path, '"properties"');
    }
    return {
      isAllowed: () => true,
      key: choice(...plains.map((plain) => plain.values ? jsonLiterals(plain.values) : this.#string(plain))),
    };
  }
}

/** Without a type, a schema only produces the types that its rules are about. */
function impliedTypes({ types, paths }: PlainSchema): Iterable<SchemaType> {
  if (types !== undefined) return types;
  const implied = new Set([...paths.keys()].flatMap((keyword) => RULES[keyword]));
  if (implied.has("number")) implied.delete("integer");
  return implied;
}

function isBounded({ bounds: { min, max } }: PlainSchema): boolean {
  return min !== -Infinity || max !== Infinity;
}

function allowsEveryString({ values, minLength, maxLength, pattern, format }: PlainSchema): boolean {
  return values === undefined && minLength === 0 && maxLength === Infinity && pattern === undefined &&
    format === undefined;
}
