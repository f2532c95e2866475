/**
 * Arguments that a model writes as plain text between marks, and what their schema makes of them.
 *
 * @module
 */
import { isObject } from "../../json/json_text.ts";
import { wholeLooseValue } from "./loose_json.ts";

type JsonType = "string" | "number" | "boolean" | "null" | "array" | "object";

type Schema = Readonly<Record<string, unknown>>;

const ALL: readonly JsonType[] = ["string", "number", "boolean", "null", "array", "object"];

/** An argument as written in the markup. */
export interface TextArgument {
  readonly name: string;
  readonly text: string;
  /** Whether the value is a string, where the markup itself says so. */
  readonly isString?: boolean | undefined;
}

/**
 * The arguments as the JSON text of an object. Text stays text wherever the schema allows a string, where only `null` may
 * be something else; elsewhere it is read as JSON or as a literal of Python, numbers as written, and stays text where it is
 * neither. Of an argument that occurs twice the last value counts.
 *
 * @param parameters The schema of all arguments.
 */
export function textArguments(given: readonly TextArgument[], parameters: Schema): string {
  const values = new Map(given.map((argument) => [argument.name, argumentJson(argument, parameters)]));
  return `{${[...values].map(([name, json]) => `${JSON.stringify(name)}: ${json}`).join(", ")}}`;
}

function argumentJson({ name, text, isString }: TextArgument, parameters: Schema): string {
  const quoted = JSON.stringify(text);
  const schema = new SchemaTypes(parameters).property(name);
  const value = wholeLooseValue(text)?.json;
  if (value === undefined || isString === true && schema?.types.has("string") !== false) return quoted;
  if (schema === undefined || !schema.types.has("string")) return value;
  const { types, strings, others } = schema;
  // One of the listed values that are not strings, unless it is one of the strings, too.
  if (strings !== undefined) return !strings.has(text) && others.has(text.trim()) ? value : quoted;
  const type = typeOf(value);
  if (type === "null") return text.trim() === "null" && types.has("null") ? value : quoted;
  return isString === false && types.has(type) && types.size < ALL.length ? value : quoted;
}

function typeOf(json: string): JsonType {
  switch (json[0]) {
    case '"':
      return "string";
    case "{":
      return "object";
    case "[":
      return "array";
    case "n":
      return "null";
    default:
      return json === "true" || json === "false" ? "boolean" : "number";
  }
}

/** What a schema allows. */
interface Allowed {
  readonly types: ReadonlySet<JsonType>;
  /** The only texts, where values are listed. */
  readonly strings: ReadonlySet<string> | undefined;
  /** Listed values that are not strings, as JSON. */
  readonly others: ReadonlySet<string>;
}

/** Keywords from which a schema without types has them. */
const implied: readonly (readonly [JsonType, readonly string[]])[] = [
  ["object", ["properties", "additionalProperties", "patternProperties", "required", "minProperties", "maxProperties"]],
  ["array", ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"]],
  ["string", ["pattern", "minLength", "maxLength", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** Schemas that one argument may refer to: a reference to many others could double with every step. */
const MAX_STEPS = 1000;

/** The types that schemas allow, through references and combinations. */
class SchemaTypes {
  readonly #root: Schema;
  readonly #known = new Map<unknown, Allowed>();
  #steps = 0;
  #cycles = 0;

  constructor(root: Schema) {
    this.#root = root;
  }

  /** What the argument of a name may be; undefined where the schema does not say. */
  property(name: string): Allowed | undefined {
    const schemas = this.#declared(this.#root, name, new Set());
    if (schemas.length === 0) return undefined;
    const parts = schemas.map((schema) => this.#allowed(schema, new Set()));
    const both = parts.reduce(intersection);
    // A schema that refers to nothing but itself, or that nothing satisfies, says nothing.
    return both.types.size === 0 ? { types: new Set(ALL), strings: undefined, others: new Set() } : both;
  }

  /** The schemas of a property: where it is declared, in the schema itself or in those that it combines. */
  #declared(schema: unknown, name: string, seen: Set<unknown>): unknown[] {
    if (!isObject(schema) || seen.has(schema) || this.#steps++ > MAX_STEPS) return [];
    seen.add(schema);
    const { properties, additionalProperties } = schema;
    const own = isObject(properties) && Object.hasOwn(properties, name)
      ? [properties[name]]
      : isObject(additionalProperties)
      ? [additionalProperties]
      : [];
    const more = typeof schema.$ref === "string" ? this.#declared(this.#resolve(schema.$ref), name, seen) : [];
    const all = list(schema.allOf).flatMap((part) => this.#declared(part, name, seen));
    const any = [...list(schema.anyOf), ...list(schema.oneOf), schema.then, schema.else]
      .flatMap((part) => this.#declared(part, name, seen));
    return [...own, ...more, ...all, ...any.length === 0 ? [] : [{ anyOf: any }]];
  }

  #allowed(schema: unknown, seen: ReadonlySet<unknown>): Allowed {
    if (schema !== false && !isObject(schema)) return { types: new Set(ALL), strings: undefined, others: new Set() };
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    if (schema === false || seen.has(schema) || this.#steps++ > MAX_STEPS) {
      this.#cycles++;
      return { types: new Set(), strings: new Set(), others: new Set() };
    }
    const cycles = this.#cycles;
    const allowed = this.#combined(schema, new Set(seen).add(schema));
    // Within a cycle it is only part of the answer.
    if (this.#cycles === cycles) this.#known.set(schema, allowed);
    return allowed;
  }

  #combined(schema: Schema, within: ReadonlySet<unknown>): Allowed {
    const inner = (part: unknown): Allowed => this.#allowed(part, within);
    const parts: Allowed[] = [{ types: new Set(ownTypes(schema)), strings: undefined, others: new Set() }];
    if (Array.isArray(schema.enum)) parts.push(listed(schema.enum));
    if (Object.hasOwn(schema, "const")) parts.push(listed([schema.const]));
    if (typeof schema.$ref === "string") {
      const target = this.#resolve(schema.$ref);
      if (target !== undefined) parts.push(inner(target));
    }
    for (const part of list(schema.allOf)) parts.push(inner(part));
    for (const choice of [schema.anyOf, schema.oneOf]) {
      if (list(choice).length > 0) parts.push(list(choice).map(inner).reduce(union));
    }
    const whole = parts.reduce(intersection);
    const excluded = isObject(schema.not) && isTypes(schema.not) ? ownTypes(schema.not) : [];
    return excluded.length === 0
      ? whole
      : { ...whole, types: new Set([...whole.types].filter((type) => !excluded.includes(type))) };
  }

  /** A reference within the schema: a pointer, or the name of an anchor. */
  #resolve(reference: string): unknown {
    const id = typeof this.#root.$id === "string" ? this.#root.$id.replace(/#$/, "") : "";
    const at = reference.indexOf("#");
    const [base, fragment] = at < 0 ? [reference, ""] : [reference.slice(0, at), reference.slice(at + 1)];
    if (base !== "" && base !== id) {
      return definitions(this.#root).find((schema) => isObject(schema) && schema.$id === base);
    }
    if (fragment === "") return this.#root;
    const name = decoded(fragment);
    if (!name.startsWith("/")) {
      return definitions(this.#root).find((schema) => isObject(schema) && (schema.$anchor ?? schema.$id) === name) ??
        definitions(this.#root).find((schema) => isObject(schema) && schema.$id === `#${name}`);
    }
    let found: unknown = this.#root;
    for (const token of name.split("/").slice(1)) {
      const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
      found = (found as Record<string, unknown>)[key];
    }
    return found;
  }
}

function ownTypes(schema: Schema): readonly JsonType[] {
  const { type, nullable } = schema;
  const named = (typeof type === "string" ? [type] : list(type)).map((name) => name === "integer" ? "number" : name)
    .filter((name) => ALL.includes(name as JsonType)) as JsonType[];
  if (named.length > 0) return nullable === true ? [...named, "null"] : named;
  if (Object.hasOwn(schema, "const") || Array.isArray(schema.enum)) return ALL;
  const found = implied.filter(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)));
  return found.length === 0 ? ALL : found.map(([name]) => name);
}

/** Whether a schema says nothing but types. */
function isTypes(schema: Schema): boolean {
  return Object.keys(schema).every((key) => key === "type" || key === "description" || key === "title");
}

function listed(values: readonly unknown[]): Allowed {
  const strings = new Set(values.filter((value) => typeof value === "string"));
  const others = new Set(values.filter((value) => typeof value !== "string").map((value) => JSON.stringify(value)));
  const types = new Set([...strings.size > 0 ? ["string" as const] : [], ...[...others].map(typeOf)]);
  return { types, strings, others };
}

function union(a: Allowed, b: Allowed): Allowed {
  const isOpen = (one: Allowed): boolean => one.types.has("string") && one.strings === undefined;
  return {
    types: new Set([...a.types, ...b.types]),
    strings: isOpen(a) || isOpen(b) ? undefined : new Set([...a.strings ?? [], ...b.strings ?? []]),
    others: new Set([...a.others, ...b.others]),
  };
}

function intersection(a: Allowed, b: Allowed): Allowed {
  const strings = a.strings === undefined
    ? b.strings
    : b.strings === undefined
    ? a.strings
    : new Set([...a.strings].filter((text) => b.strings?.has(text)));
  const types = new Set([...a.types].filter((type) => b.types.has(type)));
  return { types, strings, others: new Set([...a.others, ...b.others].filter((json) => types.has(typeOf(json)))) };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Schemas that are kept for references. */
function definitions(root: Schema): unknown[] {
  return [root.$defs, root.definitions].flatMap((kept) => isObject(kept) ? Object.values(kept) : []);
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
