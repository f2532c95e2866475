/**
 * Values while a template is rendered, as Python has them: `undefined` is Jinja's undefined, `null` is None, a `bigint`
 * is an int, and an array is a list.
 *
 * @module
 */

import { type JsonMaker, JsonText, valueOfJson } from "../json_values.ts";

/** A value of a template. */
export type Value =
  | undefined
  | null
  | boolean
  | bigint
  | string
  | Float
  | Value[]
  | Dict
  | Namespace
  | LoopState
  | Callable;

/** Arguments given by name. */
export type Named = ReadonlyMap<string, Value>;

/** An operation that Python does not have for these values. */
export class PythonError extends Error {
  override name = "PythonError";
}

/** What Python's Jinja does and we do not; the message says which. */
export class UnsupportedError extends Error {
  override name = "UnsupportedError";
}

/** A float; an int is a `bigint`. One of a JSON text shows as it is written there. */
export class Float {
  readonly number: number;
  readonly written: string | undefined;
  constructor(number: number, written?: string) {
    this.number = number;
    this.written = written;
  }
}

/** A sequence that is not a list, although it looks like one; `map` and others make a list of it. */
class Sequence extends Array<Value> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** A tuple. */
export class Tuple extends Sequence {}

/** What `dict.items()`, `keys()` and `values()` give. */
export class View extends Sequence {}

/** What `range()` gives. */
export class Range extends Sequence {
  start = 0;
  stop = 0;
  step = 1;

  /** @throws {PythonError} for a step of 0. */
  static between(start: number, stop: number, step: number): Range {
    if (step === 0) throw new PythonError("a range of step 0");
    const range = new Range();
    Object.assign(range, { start, stop, step });
    for (let at = start; step > 0 ? at < stop : at > stop; at += step) range.push(BigInt(at));
    return range;
  }
}

/** What filters such as `map` give: it can be looped over once, and has no length. */
export class Generator extends Sequence {}

/** Makes a list of a kind from members; the constructors of arrays take a lone number for a length. */
export function listOf<T extends Value[]>(kind: new () => T, members: Iterable<Value>): T {
  const made = new kind();
  for (const member of members) made.push(member);
  return made;
}

/** A dictionary; members stay in the order in which they came. */
export class Dict {
  readonly #members = new Map<string, readonly [Value, Value]>();

  static of(pairs: Iterable<readonly [Value, Value]>): Dict {
    const dict = new Dict();
    for (const [key, value] of pairs) dict.set(key, value);
    return dict;
  }

  get size(): number {
    return this.#members.size;
  }

  has(key: Value): boolean {
    return this.#members.has(hash(key));
  }

  get(key: Value): Value {
    return this.#members.get(hash(key))?.[1];
  }

  set(key: Value, value: Value): void {
    const hashed = hash(key);
    this.#members.set(hashed, [this.#members.get(hashed)?.[0] ?? key, value]);
  }

  keys(): Value[] {
    return [...this.#members.values()].map(([key]) => key);
  }

  values(): Value[] {
    return [...this.#members.values()].map(([, value]) => value);
  }

  pairs(): (readonly [Value, Value])[] {
    return [...this.#members.values()];
  }
}

/** What `namespace()` makes: the only value that a template changes. */
export class Namespace {
  readonly members: Dict = new Dict();
}

/** A function, a method or a macro. */
export class Callable {
  readonly name: string;
  readonly call: (args: readonly Value[], named: Named) => Value;
  constructor(name: string, call: (args: readonly Value[], named: Named) => Value) {
    this.name = name;
    this.call = call;
  }
}

/** The variable `loop`. */
export class LoopState {
  index0 = 0;
  readonly items: readonly Value[];
  readonly depth0: number;
  /** Renders the loop again, for `recursive` ones. */
  readonly again: ((items: Value) => string) | undefined;
  /** What `changed` was given last. */
  seen: Value[] | undefined;
  constructor(items: readonly Value[], depth0: number, again: ((items: Value) => string) | undefined) {
    this.items = items;
    this.depth0 = depth0;
    this.again = again;
  }
}

/** Equal keys have equal hashes: 1, 1.0 and true are one key. */
function hash(key: Value): string {
  if (typeof key === "string") return `s${key}`;
  if (key === null) return "None";
  if (key === undefined) return "undefined";
  if (typeof key === "boolean" || typeof key === "bigint") return `n${BigInt(key)}`;
  if (key instanceof Float) return Number.isInteger(key.number) ? `n${BigInt(key.number)}` : `f${key.number}`;
  if (key instanceof Tuple) return `t${JSON.stringify([...key].map(hash))}`;
  throw new PythonError(`a ${typeName(key)} cannot be a key`);
}

/** The texts of dictionaries and lists that were given as JSON. */
const sources = new WeakMap<object, string>();

/** How a value is written in the JSON text that it was given as. */
export function jsonSource(value: Value): string | undefined {
  return value instanceof Dict || Array.isArray(value) ? sources.get(value) : undefined;
}

function written<T extends Dict | Value[]>(value: T, text: string): T {
  sources.set(value, text);
  return value;
}

const ofJson: JsonMaker<Value> = {
  object: (members, text) => written(Dict.of(members), text),
  array: (items, text) => written([...items], text),
  string: (text) => text,
  // An int has no negative zero, which would show as 0.
  number: (text) => /[.eE]|^-0$/.test(text) ? new Float(Number(text), text) : BigInt(text),
  literal: (value) => value,
};

/** The value of a variable that is given to a template. */
export function toValue(given: unknown): Value {
  switch (typeof given) {
    case "string":
    case "boolean":
    case "bigint":
    case "undefined":
      return given;
    case "number":
      return Number.isInteger(given) ? BigInt(given) : new Float(given);
    case "object":
      if (given instanceof JsonText) return valueOfJson(given.text, ofJson);
      if (given === null || given instanceof Float || given instanceof Dict) return given;
      if (Array.isArray(given)) return given.map(toValue);
      return Dict.of(
        [...given instanceof Map ? given : Object.entries(given)].map(([key, one]) => [key, toValue(one)]),
      );
    default:
      throw new TypeError(`Cannot give a ${typeof given} to a template, expected a value of JSON`);
  }
}

/** Whether Python takes a value for true. */
export function truth(value: Value): boolean {
  if (value === undefined || value === null) return false;
  if (value instanceof Float) return value.number !== 0;
  if (value instanceof Generator) return true;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Dict) return value.size > 0;
  return typeof value === "object" || Boolean(value);
}

/** Python's name of a value's type. */
export function typeName(value: Value): string {
  if (value === undefined) return "Undefined";
  if (value === null) return "NoneType";
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (value instanceof Float) return "float";
  if (value instanceof Tuple) return "tuple";
  if (value instanceof Range) return "range";
  if (value instanceof View) return "dict view";
  if (value instanceof Generator) return "generator";
  if (Array.isArray(value)) return "list";
  return value instanceof Dict ? "dict" : value instanceof Namespace ? "Namespace" : "function";
}

/** Whether a value is an int, a float or a bool, which is an int in Python. */
export function isNumber(value: Value): value is bigint | boolean | Float {
  return typeof value === "bigint" || typeof value === "boolean" || value instanceof Float;
}

/** A number as a double. */
export function double(value: bigint | boolean | Float): number {
  return value instanceof Float ? value.number : Number(value);
}

/** A whole number that is an index or a count. */
export function index(value: Value): number {
  if (typeof value === "bigint" || typeof value === "boolean") return Number(value);
  throw new PythonError(`a ${typeName(value)} cannot be an index`);
}

/** The members of what can be looped over. A generator has them once. */
export function iterate(value: Value): Value[] {
  if (value === undefined) return [];
  if (typeof value === "string") return [...value];
  if (value instanceof Generator) return value.splice(0);
  if (Array.isArray(value)) return value;
  if (value instanceof Dict) return value.keys();
  throw new PythonError(`a ${typeName(value)} cannot be looped over`);
}

/** `len()`. */
export function lengthOf(value: Value): number {
  if (typeof value === "string") return pointCount(value);
  if (value === undefined) return 0;
  if (Array.isArray(value) && !(value instanceof Generator)) return value.length;
  if (value instanceof Dict) return value.size;
  throw new PythonError(`a ${typeName(value)} has no length`);
}

const beyondBasicPlane = /[\ud800-\udfff]/;

/** How many characters a text has for Python. */
export function pointCount(text: string): number {
  return beyondBasicPlane.test(text) ? [...text].length : text.length;
}

/** The characters of a text, as Python counts them. */
export function points(text: string): string[] {
  return beyondBasicPlane.test(text) ? [...text] : text.split("");
}
