/**
 * Jinja's filters of texts and numbers.
 *
 * @module
 */
import { bind } from "./arguments.ts";
import type { Budget } from "./budget.ts";
import { SPACE } from "./lexer.ts";
import { jsonText, str } from "./show.ts";
import { fixed, formatPercent } from "./text_formats.ts";
import { capitalized, lines, replaced, stripped, textMethod } from "./text_methods.ts";
import { compare } from "./compare.ts";
import {
  Dict,
  double,
  Float,
  index,
  isNumber,
  type Named,
  pointCount,
  points,
  PythonError,
  truth,
  typeName,
  type Value,
} from "./values.ts";

/** A filter: the value, its arguments, and what it may use. */
export type FilterFunction = (value: Value, args: readonly Value[], named: Named, budget: Budget) => Value;

const noNames: Named = new Map();
const wordStart = new RegExp(`([-${SPACE}({\\[<]+)`);
const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "'": "&#39;",
  '"': "&#34;",
};

/** Filters of texts and numbers, by name. */
export const textFilters: Readonly<Record<string, FilterFunction>> = {
  abs: (value) => {
    if (value instanceof Float) return new Float(Math.abs(value.number));
    if (!isNumber(value)) throw new PythonError(`a ${typeName(value)} has no absolute value`);
    return compare(value, 0n) < 0 ? -BigInt(value) : BigInt(value);
  },
  capitalize: (value) => capitalized(str(value)),
  center: (value, args, named, budget) => {
    const [width] = bind("center", ["width"], args, named, 0, [80n]);
    return textMethod(str(value), "center", budget)!.call([width], noNames);
  },
  default: (value, args, named) => {
    const [otherwise, falsy] = bind("default", ["default_value", "boolean"], args, named, 0, ["", false]);
    return value === undefined || truth(falsy) && !truth(value) ? otherwise : value;
  },
  escape: (value) => str(value).replace(/[&<>'"]/g, (one) => escapes[one]),
  float: (value, args, named) => {
    const [otherwise] = bind("float", ["default"], args, named, 0, [new Float(0)]);
    const number = floatOf(value);
    return number === undefined ? otherwise : new Float(number);
  },
  format: (value, args, named, budget) => {
    if (args.length > 0 && named.size > 0) throw new PythonError("format takes values by place or by name");
    const dict = named.size > 0 ? Dict.of(named) : undefined;
    return formatPercent(str(value), dict === undefined ? args : [dict], dict, budget);
  },
  indent: (value, args, named, budget) => {
    const [width, first, blank] = bind("indent", ["width", "first", "blank"], args, named, 0, [4n, false, false]);
    if (typeof width === "string") budget.text(width.length);
    else budget.text(index(width));
    const margin = typeof width === "string" ? width : " ".repeat(Math.max(0, index(width)));
    const text = textOf(value);
    const all = lines(`${text}\n`);
    budget.text(text.length + margin.length * all.length);
    return all.map((line, i) => (i === 0 ? truth(first) : truth(blank) || line !== "") ? margin + line : line).join(
      "\n",
    );
  },
  int: (value, args, named) => {
    const [otherwise, base] = bind("int", ["default", "base"], args, named, 0, [0n, 10n]);
    return intOf(value, index(base)) ?? otherwise;
  },
  lower: (value) => str(value).toLowerCase(),
  replace: (value, args, named, budget) => {
    const [from, to, count] = bind("replace", ["old", "new", "count"], args, named, 2, [undefined, undefined, null]);
    return replaced(str(value), str(from), str(to), count === null ? -1 : index(count), budget);
  },
  round: (value, args, named) => {
    const [precision, method] = bind("round", ["precision", "method"], args, named, 0, [0n, "common"]);
    return rounded(value, index(precision), method);
  },
  safe: (value) => str(value),
  string: (value) => str(value),
  title: (value) =>
    str(value).split(wordStart).map((word) => {
      const [first = "", ...rest] = points(word);
      return first.toUpperCase() + rest.join("").toLowerCase();
    }).join(""),
  tojson: (value, args, named) => {
    const [ascii, indent, separators, sorted] = bind(
      "tojson",
      ["ensure_ascii", "indent", "separators", "sort_keys"],
      args,
      named,
      0,
      [false, null, null, false],
    );
    const margin = indent === null
      ? undefined
      : typeof indent === "string"
      ? indent
      : " ".repeat(Math.max(0, index(indent)));
    if ((margin?.length ?? 0) > 1000) throw new PythonError("JSON is indented too far");
    const given = Array.isArray(separators) ? [str(separators[0]), str(separators[1])] as const : undefined;
    const standard = [margin === undefined ? ", " : ",", ": "] as const;
    return jsonText(value, {
      ascii: truth(ascii),
      indent: margin,
      separators: given ?? standard,
      sorted: truth(sorted),
    }, compare);
  },
  trim: (value, args, named) => {
    const [characters] = bind("trim", ["chars"], args, named, 0, [null]);
    return stripped(str(value), characters, true, true);
  },
  truncate: (value, args, named) => {
    const [length, kill, end, leeway] = bind(
      "truncate",
      ["length", "killwords", "end", "leeway"],
      args,
      named,
      0,
      [255n, false, "...", null],
    );
    const [all, tail] = [points(textOf(value)), str(end)];
    const room = index(length) - pointCount(tail);
    if (room < 0) throw new PythonError("a text is truncated to less than its end");
    if (all.length <= index(length) + (leeway === null ? 5 : index(leeway))) return value;
    const kept = all.slice(0, room).join("");
    if (truth(kill)) return kept + tail;
    return (kept.includes(" ") ? kept.slice(0, kept.lastIndexOf(" ")) : kept) + tail;
  },
  upper: (value) => str(value).toUpperCase(),
  urlencode: (value) => {
    if (value instanceof Dict || Array.isArray(value)) {
      const pairs = value instanceof Dict ? value.pairs() : value as Value[][];
      return pairs.map(([key, one]) => `${encoded(key, false)}=${encoded(one, false)}`).join("&");
    }
    return encoded(value, true);
  },
  wordcount: (value) => BigInt(str(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0),
};

function textOf(value: Value): string {
  if (typeof value === "string") return value;
  throw new PythonError(`a ${typeName(value)} is not a string`);
}

function encoded(value: Value, path: boolean): string {
  const text = encodeURIComponent(str(value)).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return path ? text.replaceAll("%2F", "/") : text.replaceAll("%20", "+");
}

/** `float()`; undefined where Python has none. */
function floatOf(value: Value): number | undefined {
  if (value === undefined) throw new PythonError("what is undefined is not a number");
  if (isNumber(value)) return double(value);
  if (typeof value !== "string") return undefined;
  const text = stripped(value, null, true, true).replace(/(?<=\d)_(?=\d)/g, "");
  if (/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (word === null) return undefined;
  return word[2].toLowerCase() === "nan" ? NaN : word[1] === "-" ? -Infinity : Infinity;
}

/** `int()`, and the whole part of what is a float; undefined where Python has none. */
function intOf(value: Value, base: number): bigint | undefined {
  if (typeof value === "string") {
    const whole = wholeOf(stripped(value, null, true, true).replace(/(?<=\w)_(?=\w)/g, ""), base);
    if (whole !== undefined) return whole;
  } else if (isNumber(value) && !(value instanceof Float)) {
    return BigInt(value);
  }
  const number = floatOf(value);
  return number === undefined || !Number.isFinite(number) ? undefined : BigInt(Math.trunc(number));
}

function wholeOf(text: string, base: number): bigint | undefined {
  const [, sign, prefix, digits] = /^([+-]?)(0[xXoObB])?(\w+)$/.exec(text) ?? [];
  if (digits === undefined || digits.length > 4300) return undefined;
  const own = prefix === undefined ? undefined : { x: 16, o: 8, b: 2 }[prefix[1].toLowerCase() as "x"];
  if (own !== undefined && base !== own && base !== 0) return undefined;
  const radix = BigInt(own ?? (base === 0 ? 10 : base));
  let whole = 0n;
  for (const digit of digits) {
    const place = parseInt(digit, 36);
    if (!(BigInt(Number.isNaN(place) ? 99 : place) < radix)) return undefined;
    whole = whole * radix + BigInt(place);
  }
  return sign === "-" ? -whole : whole;
}

function rounded(value: Value, precision: number, method: Value): Value {
  if (!isNumber(value)) throw new PythonError(`a ${typeName(value)} cannot be rounded`);
  if (Math.abs(precision) > 100) throw new PythonError("a number is rounded to more than 100 digits");
  const number = double(value);
  if (method === "ceil" || method === "floor") {
    const scale = 10 ** precision;
    // Python rounds to an int, which has no zero below zero.
    return new Float(((method === "ceil" ? Math.ceil : Math.floor)(number * scale) + 0) / scale);
  }
  if (method !== "common") throw new PythonError("a number is rounded by another method than common, ceil and floor");
  if (value instanceof Float) {
    if (!Number.isFinite(number)) return value;
    if (precision >= 0) return new Float(Number(fixed(number, precision)));
    return new Float(Number(halfEven(BigInt(Math.trunc(number)), 10n ** BigInt(-precision))));
  }
  return precision >= 0 ? BigInt(value) : halfEven(BigInt(value), 10n ** BigInt(-precision));
}

function halfEven(value: bigint, unit: bigint): bigint {
  const rest = ((value % unit) + unit) % unit;
  const low = value - rest;
  if (rest * 2n === unit) return low / unit % 2n === 0n ? low : low + unit;
  return rest * 2n > unit ? low + unit : low;
}
