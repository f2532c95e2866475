/**
 * Attributes, members and methods of values.
 *
 * @module
 */
import type { Budget } from "./budget.ts";
import { bind } from "./arguments.ts";
import { str } from "./show.ts";
import { formatBraces } from "./text_formats.ts";
import { textMethod } from "./text_methods.ts";
import { equal } from "./compare.ts";
import {
  Callable,
  Dict,
  Float,
  index,
  isNumber,
  listOf,
  LoopState,
  type Named,
  Namespace,
  points,
  PythonError,
  Range,
  Tuple,
  typeName,
  type Value,
  View,
} from "./values.ts";

/** `value.name`: an attribute or a method, then a member of that name. */
export function attributeOf(value: Value, name: string, budget: Budget): Value {
  const found = attribute(value, name, budget);
  return found === undefined ? member(value, name) : found;
}

/** `value[key]`: a member, then an attribute or a method of that name. */
export function itemOf(value: Value, key: Value, budget: Budget): Value {
  const found = member(value, key);
  return found === undefined && typeof key === "string" ? attribute(value, key, budget) : found;
}

/** `value[start:stop:step]`. */
export function sliceOf(value: Value, bounds: readonly Value[], budget: Budget): Value {
  const isText = typeof value === "string";
  if (!isText && !(Array.isArray(value) && /list|tuple|range/.test(typeName(value)))) {
    throw new PythonError(`a ${typeName(value)} has no parts`);
  }
  const members: readonly Value[] = isText ? Array.from(value) : value;
  budget.take(members.length / 64);
  const [start, stop, step] = bounds.map((one) => one === null || one === undefined ? undefined : index(one));
  const by = step ?? 1;
  if (by === 0) throw new PythonError("a slice of step 0");
  const [low, high] = by > 0 ? [0, members.length] : [-1, members.length - 1];
  const clamp = (at: number) => Math.min(Math.max(at < 0 ? at + members.length : at, low), high);
  const from = start === undefined ? (by > 0 ? low : high) : clamp(start);
  const to = stop === undefined ? (by > 0 ? high : low) : clamp(stop);
  if (value instanceof Range) {
    return Range.between(value.start + from * value.step, value.start + to * value.step, value.step * by);
  }
  const taken: Value[] = [];
  for (let at = from; by > 0 ? at < to : at > to; at += by) taken.push(members[at]);
  if (isText) return taken.join("");
  return value instanceof Tuple ? listOf(Tuple, taken) : taken;
}

/** Python's attribute; undefined where there is none. */
export function attribute(value: Value, name: string, budget: Budget): Value {
  if (value === undefined) throw new PythonError(`it reads ${name} of what is undefined`);
  if (typeof value === "string" && name === "format") {
    const read = (one: Value, key: Value, isAttribute: boolean) =>
      isAttribute ? attributeOf(one, str(key), budget) : itemOf(one, key, budget);
    return method(name, (args, named) => formatBraces(value, args, named, budget, read));
  }
  if (typeof value === "string") return textMethod(value, name, budget);
  if (value instanceof Dict) return dictMethod(value, name);
  if (value instanceof Namespace) return value.members.get(name);
  if (value instanceof LoopState) return loopAttribute(value, name);
  if (value instanceof Callable) return value.name === name ? undefined : name === "name" ? value.name : undefined;
  if (Array.isArray(value)) return listMethod(value, name, budget);
  if (value instanceof Float && name === "is_integer") return method(name, () => Number.isInteger(value.number));
  return undefined;
}

function member(value: Value, key: Value): Value {
  if (value === undefined) throw new PythonError(`it reads ${str(key)} of what is undefined`);
  if (value instanceof Dict) {
    return Array.isArray(key) && !(key instanceof Tuple) || key instanceof Dict ? undefined : value.get(key);
  }
  if (!isNumber(key) || key instanceof Float) return undefined;
  const members = typeof value === "string" ? points(value) : value;
  if (!Array.isArray(members) || !/list|tuple|range/.test(typeName(members))) return undefined;
  return members[index(key) < 0 ? members.length + index(key) : index(key)];
}

function method(name: string, call: (args: readonly Value[], named: Named) => Value): Callable {
  return new Callable(name, call);
}

const dictChanges = new Set(["pop", "popitem", "update", "clear", "setdefault"]);
const listChanges = new Set(["append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"]);

function changes(name: string, what: string): Callable {
  return method(name, () => {
    throw new PythonError(`${name} changes a ${what}, which templates cannot`);
  });
}

function dictMethod(dict: Dict, name: string): Value {
  if (dictChanges.has(name)) return changes(name, "dict");
  switch (name) {
    case "items":
      return method(name, () => listOf(View, dict.pairs().map((pair) => listOf(Tuple, pair))));
    case "keys":
      return method(name, () => listOf(View, dict.keys()));
    case "values":
      return method(name, () => listOf(View, dict.values()));
    case "copy":
      return method(name, () => dict);
    case "get":
      return method(name, (args, named) => {
        const [key, otherwise] = bind(name, ["key", "default"], args, named, 1, [undefined, null]);
        return dict.has(key) ? dict.get(key) : otherwise;
      });
    default:
      return undefined;
  }
}

function listMethod(list: Value[], name: string, budget: Budget): Value {
  if (!/list|tuple|range/.test(typeName(list))) return undefined;
  if (typeName(list) === "list" && listChanges.has(name)) return changes(name, "list");
  if (name === "copy" && typeName(list) === "list") return method(name, () => list);
  if (name === "count") {
    return method(name, ([sought]) => {
      budget.take(list.length / 16);
      return BigInt(list.filter((one) => equal(one, sought)).length);
    });
  }
  if (name !== "index") return undefined;
  return method(name, ([sought]) => {
    budget.take(list.length / 16);
    const at = list.findIndex((one) => equal(one, sought));
    if (at < 0) throw new PythonError("a list does not have what is sought");
    return BigInt(at);
  });
}

function loopAttribute(loop: LoopState, name: string): Value {
  const { index0, items } = loop;
  switch (name) {
    case "index":
      return BigInt(index0 + 1);
    case "index0":
      return BigInt(index0);
    case "revindex":
      return BigInt(items.length - index0);
    case "revindex0":
      return BigInt(items.length - index0 - 1);
    case "first":
      return index0 === 0;
    case "last":
      return index0 === items.length - 1;
    case "length":
      return BigInt(items.length);
    case "depth":
      return BigInt(loop.depth0 + 1);
    case "depth0":
      return BigInt(loop.depth0);
    case "previtem":
      return items[index0 - 1];
    case "nextitem":
      return items[index0 + 1];
    case "cycle":
      return method(name, (args) => {
        if (args.length === 0) throw new PythonError("no items for cycling given");
        return args[index0 % args.length];
      });
    case "changed":
      return method(name, (args) => {
        const before = loop.seen;
        loop.seen = [...args];
        return before === undefined || !equal(before, loop.seen);
      });
    default:
      return undefined;
  }
}
