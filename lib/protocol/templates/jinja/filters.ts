/**
 * Jinja's filters: those of lists here, those of texts and numbers in a file of their own.
 *
 * @module
 */
import { bind } from "./arguments.ts";
import { attribute, itemOf } from "./attributes.ts";
import type { Budget } from "./budget.ts";
import { binary } from "./operators.ts";
import { str } from "./show.ts";
import { joined } from "./text_methods.ts";
import { filterNames, passes } from "./tests.ts";
import { type FilterFunction, textFilters } from "./text_filters.ts";
import { compare, equal } from "./compare.ts";
import {
  Dict,
  Generator,
  index,
  iterate,
  lengthOf,
  listOf,
  type Named,
  PythonError,
  truth,
  Tuple,
  typeName,
  UnsupportedError,
  type Value,
} from "./values.ts";

const listFilters: Readonly<Record<string, FilterFunction>> = {
  attr: (value, args, named, budget) => attribute(value, str(bind("attr", ["name"], args, named, 1)[0]), budget),
  batch: (value, args, named) => {
    const [size, fill] = bind("batch", ["linecount", "fill_with"], args, named, 1, [0n, null]);
    const batches: Value[][] = [];
    for (const one of iterate(value)) {
      if (batches.length === 0 || batches.at(-1)!.length === index(size)) batches.push([]);
      batches.at(-1)!.push(one);
    }
    const last = batches.at(-1);
    while (fill !== null && last !== undefined && last.length < Math.min(index(size), 10_000)) last.push(fill);
    return listOf(Generator, batches);
  },
  dictsort: (value, args, named) => {
    const [cased, by, reverse] = bind("dictsort", ["case_sensitive", "by", "reverse"], args, named, 0, [
      false,
      "key",
      false,
    ]);
    if (!(value instanceof Dict)) throw new PythonError(`a ${typeName(value)} has no items`);
    if (by !== "key" && by !== "value") throw new PythonError("a dict is sorted by key or by value");
    const key = (pair: readonly [Value, Value]) => folded(pair[by === "key" ? 0 : 1], cased);
    return sorted(value.pairs(), key, truth(reverse)).map((pair) => listOf(Tuple, pair));
  },
  first: (value) => {
    if (value instanceof Generator) return value.shift();
    return iterate(value)[0];
  },
  groupby: (value, args, named, budget) => {
    const [path, otherwise, cased] = bind("groupby", ["attribute", "default", "case_sensitive"], args, named, 1, [
      undefined,
      null,
      false,
    ]);
    const get = getter(path, otherwise, budget);
    const key = (one: Value) => folded(get(one), cased);
    const groups: Value[][] = [];
    for (const one of sorted(iterate(value), key, false)) {
      if (groups.length > 0 && equal(key(groups.at(-1)![0]), key(one))) groups.at(-1)!.push(one);
      else groups.push([one]);
    }
    return groups.map((group) => listOf(Tuple, [get(group[0]), group]));
  },
  items: (value) => {
    if (value === undefined) return listOf(Generator, []);
    if (!(value instanceof Dict)) throw new PythonError(`a ${typeName(value)} has no items`);
    return listOf(Generator, value.pairs().map((pair) => listOf(Tuple, pair)));
  },
  join: (value, args, named, budget) => {
    const [by, path] = bind("join", ["d", "attribute"], args, named, 0, ["", null]);
    const members = iterate(value);
    return joined(str(by), (path === null ? members : members.map(getter(path, null, budget))).map(str), budget);
  },
  last: (value) => {
    if (value instanceof Generator) throw new PythonError("a generator has no last member");
    return iterate(value).at(-1);
  },
  length: (value) => BigInt(lengthOf(value)),
  list: (value) => [...iterate(value)],
  map: (value, args, named, budget) => {
    if (!truth(value)) return listOf(Generator, []);
    return listOf(Generator, iterate(value).map(mapper(args, named, budget)));
  },
  max: (value, args, named, budget) => extreme("max", value, args, named, budget),
  min: (value, args, named, budget) => extreme("min", value, args, named, budget),
  reverse: (value) => {
    if (typeof value === "string") return [...value].reverse().join("");
    return listOf(Generator, [...iterate(value)].reverse());
  },
  select: (value, args, named, budget) => chosen(value, args, named, budget, true, false),
  reject: (value, args, named, budget) => chosen(value, args, named, budget, false, false),
  selectattr: (value, args, named, budget) => chosen(value, args, named, budget, true, true),
  rejectattr: (value, args, named, budget) => chosen(value, args, named, budget, false, true),
  slice: (value, args, named) => {
    const [count, fill] = bind("slice", ["slices", "fill_with"], args, named, 1, [0n, null]);
    const members = [...iterate(value)];
    const slices = index(count);
    if (!(slices > 0 && slices <= 10_000)) throw new PythonError(`a list cannot have ${slices} slices`);
    const [each, more] = [Math.floor(members.length / slices), members.length % slices];
    return listOf(
      Generator,
      Array.from({ length: slices }, (_, i) => {
        const part = members.splice(0, each + (i < more ? 1 : 0));
        return fill !== null && i >= more ? [...part, fill] : part;
      }),
    );
  },
  sort: (value, args, named, budget) => {
    const [reverse, cased, path] = bind("sort", ["reverse", "case_sensitive", "attribute"], args, named, 0, [
      false,
      false,
      null,
    ]);
    const paths = typeof path === "string" ? path.split(",") : [path];
    const gets = paths.map((one) => getter(one, null, budget));
    const key = (one: Value) => {
      const keys = gets.map((get) => folded(get(one), cased));
      return typeof path === "string" && keys.length > 1 ? keys : keys[0];
    };
    return sorted(iterate(value), path === null ? (one) => folded(one, cased) : key, truth(reverse));
  },
  sum: (value, args, named, budget) => {
    const [path, start] = bind("sum", ["attribute", "start"], args, named, 0, [null, 0n]);
    const get = getter(path, null, budget);
    return iterate(value).reduce<Value>((sum, one) => binary("+", sum, get(one), budget), start);
  },
  unique: (value, args, named, budget) => {
    const [cased, path] = bind("unique", ["case_sensitive", "attribute"], args, named, 0, [false, null]);
    const get = getter(path, null, budget);
    const seen = new Dict();
    return listOf(
      Generator,
      iterate(value).filter((one) => {
        const key = folded(get(one), cased);
        const fresh = !seen.has(key);
        seen.set(key, true);
        return fresh;
      }),
    );
  },
};

const aliases = { count: "length", d: "default", e: "escape", forceescape: "escape" };
const all: Readonly<Record<string, FilterFunction>> = { ...textFilters, ...listFilters };
for (const name of [...Object.keys(all), ...Object.keys(aliases)]) filterNames.add(name);

/** Filters for pages of the web, and one that chooses by chance. */
const unsupported = new Set(["filesizeformat", "pprint", "random", "striptags", "urlize", "wordwrap", "xmlattr"]);

/** @throws {UnsupportedError} when there is no filter of that name here. */
export function knownFilter(name: string): void {
  if (filterNames.has(name)) return;
  const why = unsupported.has(name) ? "this server does not support" : "does not exist";
  throw new UnsupportedError(`it uses the filter ${name}, which ${why}`);
}

/** Applies a filter. */
export function applyFilter(name: string, value: Value, args: readonly Value[], named: Named, budget: Budget): Value {
  knownFilter(name);
  if (Array.isArray(value)) budget.take(value.length / 8);
  else if (typeof value === "string") budget.take(value.length / 256);
  return all[aliases[name as keyof typeof aliases] ?? name](value, args, named, budget);
}

/** Texts are compared without regard to case unless a filter asks for it. */
function folded(value: Value, cased: Value): Value {
  return typeof value === "string" && !truth(cased) ? value.toLowerCase() : value;
}

function sorted<T>(members: readonly T[], key: (one: T) => Value, reverse: boolean): T[] {
  const keyed = members.map((one) => ({ one, key: key(one) }));
  // Equal members keep their order, in both directions.
  return keyed.sort((a, b) => reverse ? compare(b.key, a.key) : compare(a.key, b.key)).map(({ one }) => one);
}

/** Reads a path such as `function.name` or `0.role`. */
function getter(path: Value, otherwise: Value, budget: Budget): (value: Value) => Value {
  if (path === null) return (value) => value;
  const parts: Value[] = typeof path === "string"
    ? path.split(".").map((part) => /^\d+$/.test(part) ? BigInt(part) : part)
    : [path];
  return (value) => {
    return parts.reduce<Value>((one, part) => {
      budget.take(1);
      return orElse(itemOf(one, part, budget), otherwise);
    }, value);
  };
}

function mapper(args: readonly Value[], named: Named, budget: Budget): (value: Value) => Value {
  if (args.length === 0 && named.has("attribute")) {
    const [path, otherwise] = bind("map", ["attribute", "default"], [], named, 1, [undefined, null]);
    return getter(path, otherwise, budget);
  }
  if (args.length === 0) throw new PythonError("map has no filter");
  return (value) => applyFilter(str(args[0]), value, args.slice(1), named, budget);
}

function chosen(
  value: Value,
  args: readonly Value[],
  named: Named,
  budget: Budget,
  wanted: boolean,
  byAttribute: boolean,
): Value {
  if (!truth(value)) return listOf(Generator, []);
  if (byAttribute && args.length === 0) throw new PythonError("selectattr and rejectattr need an attribute");
  const get = byAttribute ? getter(args[0], null, budget) : (one: Value) => one;
  const [name, ...rest] = byAttribute ? args.slice(1) : args;
  const test = name === undefined ? truth : (one: Value) => passes(str(name), one, rest, named, budget);
  return listOf(Generator, iterate(value).filter((one) => test(get(one)) === wanted));
}

function extreme(which: "min" | "max", value: Value, args: readonly Value[], named: Named, budget: Budget): Value {
  const [cased, path] = bind(which, ["case_sensitive", "attribute"], args, named, 0, [false, null]);
  const get = getter(path, null, budget);
  const key = (one: Value) => folded(get(one), cased);
  const members = iterate(value);
  if (members.length === 0) return undefined;
  return members.reduce((best, one) => {
    const order = compare(key(one), key(best));
    return (which === "min" ? order < 0 : order > 0) ? one : best;
  });
}

function orElse(value: Value, otherwise: Value): Value {
  return value === undefined && otherwise !== null ? otherwise : value;
}
