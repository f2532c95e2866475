/**
 * Methods of Python's `str`.
 *
 * @module
 */
import { bind } from "./arguments.ts";
import type { Budget } from "./budget.ts";
import { SPACE, trimEnd, trimStart } from "./lexer.ts";
import {
  Callable,
  Dict,
  index,
  iterate,
  listOf,
  type Named,
  pointCount,
  points,
  PythonError,
  Tuple,
  typeName,
  UnsupportedError,
  type Value,
} from "./values.ts";

type Method = (text: string, args: readonly Value[], named: Named, budget: Budget) => Value;

/** A method of a text; undefined where Python has none of that name. */
export function textMethod(text: string, name: string, budget: Budget): Callable | undefined {
  if (unsupported.has(name)) {
    return new Callable(name, () => {
      throw new UnsupportedError(`it uses the method ${name} of texts, which this server does not support`);
    });
  }
  if (!Object.hasOwn(methods, name)) return undefined;
  return new Callable(name, (args, named) => {
    budget.take(text.length / 256);
    return methods[name](text, args, named, budget);
  });
}

const unsupported = new Set(["encode", "translate", "maketrans", "format_map"]);

const methods: Readonly<Record<string, Method>> = {
  capitalize: (text) => capitalized(text),
  casefold: (text) => text.toLowerCase().replaceAll("ß", "ss"),
  center: (text, args, _, budget) => {
    const { missing, fill } = padding("center", text, args, budget);
    const width = missing + pointCount(text);
    const left = Math.floor(missing / 2) + (missing & width & 1);
    return fill.repeat(left) + text + fill.repeat(missing - left);
  },
  ljust: (text, args, _, budget) => {
    const { missing, fill } = padding("ljust", text, args, budget);
    return text + fill.repeat(missing);
  },
  rjust: (text, args, _, budget) => {
    const { missing, fill } = padding("rjust", text, args, budget);
    return fill.repeat(missing) + text;
  },
  zfill: (text, args, _, budget) => {
    const { missing } = padding("zfill", text, args, budget);
    const sign = /^[-+]/.exec(text)?.[0] ?? "";
    return sign + "0".repeat(missing) + text.slice(sign.length);
  },
  count: (text, args) => {
    const { sought, part } = within("count", text, args);
    if (part === undefined) return 0n;
    return BigInt(sought === "" ? pointCount(part) + 1 : part.split(sought).length - 1);
  },
  find: (text, args) => BigInt(position("find", text, args, false)),
  rfind: (text, args) => BigInt(position("rfind", text, args, true)),
  index: (text, args) => found(position("index", text, args, false)),
  rindex: (text, args) => found(position("rindex", text, args, true)),
  startswith: (text, args) => begins("startswith", text, args, (part, one) => part.startsWith(one)),
  endswith: (text, args) => begins("endswith", text, args, (part, one) => part.endsWith(one)),
  expandtabs: (text, args, named, budget) => {
    const size = index(bind("expandtabs", ["tabsize"], args, named, 0, [8n])[0]);
    budget.text(text.length + size * (text.split("\t").length - 1));
    let column = 0;
    return points(text).map((one) => {
      const shown = one === "\t" ? " ".repeat(size > 0 ? size - column % size : 0) : one;
      column = one === "\n" || one === "\r" ? 0 : column + shown.length;
      return shown;
    }).join("");
  },
  isalnum: (text) => /^[\p{L}\p{N}]+$/u.test(text),
  isalpha: (text) => /^\p{L}+$/u.test(text),
  isascii: (text) => /^[\0-\x7f]*$/.test(text),
  isdecimal: (text) => /^\p{Nd}+$/u.test(text),
  isdigit: (text) => /^[\p{Nd}²³¹⁰⁴-⁹₀-₉]+$/u.test(text),
  isidentifier: (text) => /^[\p{L}\p{Nl}_][\p{L}\p{N}\p{M}\p{Pc}]*$/u.test(text),
  islower: (text) => /\p{Lowercase}/u.test(text) && !/[\p{Lu}\p{Lt}]/u.test(text),
  isnumeric: (text) => /^\p{N}+$/u.test(text),
  isprintable: (text) => !/[\p{C}\p{Z}]/u.test(text.replaceAll(" ", "")),
  isspace: (text) => new RegExp(`^[${SPACE}]+$`).test(text),
  istitle: (text) => /[\p{Lu}\p{Lt}]/u.test(text) && titled(text) === text,
  isupper: (text) => /\p{Uppercase}/u.test(text) && !/[\p{Ll}\p{Lt}]/u.test(text),
  join: (text, args, _, budget) => joined(text, iterate(args[0]), budget),
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  swapcase: (text) =>
    points(text).map((one) => one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase()).join(""),
  title: (text) => titled(text),
  strip: (text, args) => stripped(text, args[0], true, true),
  lstrip: (text, args) => stripped(text, args[0], true, false),
  rstrip: (text, args) => stripped(text, args[0], false, true),
  removeprefix: (text, args) => text.startsWith(textOf(args[0])) ? text.slice(textOf(args[0]).length) : text,
  removesuffix: (text, args) => {
    const suffix = textOf(args[0]);
    return suffix !== "" && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
  },
  partition: (text, args) => {
    const at = text.indexOf(separator(args[0]));
    return listOf(Tuple, at < 0 ? [text, "", ""] : cutAt(text, at, textOf(args[0])));
  },
  rpartition: (text, args) => {
    const at = text.lastIndexOf(separator(args[0]));
    return listOf(Tuple, at < 0 ? ["", "", text] : cutAt(text, at, textOf(args[0])));
  },
  replace: (text, args, named, budget) => {
    const [from, to, count] = bind("replace", ["old", "new", "count"], args, named, 2, [undefined, undefined, -1n]);
    return replaced(text, textOf(from), textOf(to), index(count), budget);
  },
  split: (text, args, named, budget) => {
    const [by, most] = bind("split", ["sep", "maxsplit"], args, named, 0, [null, -1n]);
    budget.take(text.length / 16);
    return split(text, by, index(most));
  },
  rsplit: (text, args, named, budget) => {
    const [by, most] = bind("rsplit", ["sep", "maxsplit"], args, named, 0, [null, -1n]);
    budget.take(text.length / 16);
    const turned = split(turn(text), by === null ? null : turn(separator(by)), index(most));
    return turned.reverse().map((one) => turn(one as string));
  },
  splitlines: (text, args, named, budget) => {
    const [keep] = bind("splitlines", ["keepends"], args, named, 0, [false]);
    budget.take(text.length / 16);
    return lines(text, Boolean(keep));
  },
};

function textOf(value: Value): string {
  if (typeof value === "string") return value;
  throw new PythonError(`a ${typeName(value)} is not a string`);
}

function separator(value: Value): string {
  const by = textOf(value);
  if (by === "") throw new PythonError("a separator is empty");
  return by;
}

function padding(
  name: string,
  text: string,
  args: readonly Value[],
  budget: Budget,
): { missing: number; fill: string } {
  const [width, fill] = bind(name, ["width", "fillchar"], args, new Map(), 1, [0n, " "]);
  if (pointCount(textOf(fill)) !== 1) throw new PythonError("a fill character is not one character");
  budget.text(index(width));
  return { missing: Math.max(0, index(width) - pointCount(text)), fill: fill as string };
}

/** The part of a text between the start and the end that are given, and where it starts. */
function within(name: string, text: string, args: readonly Value[]): { sought: string; part?: string; from: number } {
  const [sought, start, end] = bind(name, ["sub", "start", "end"], args, new Map(), 1, [undefined, null, null]);
  return { sought: textOf(sought), ...partOf(text, start, end) };
}

function partOf(text: string, start: Value, end: Value): { part?: string; from: number } {
  if ((start ?? null) === null && (end ?? null) === null) return { part: text, from: 0 };
  const all = points(text);
  const place = (at: Value, otherwise: number) =>
    (at ?? null) === null ? otherwise : index(at) < 0 ? Math.max(0, index(at) + all.length) : index(at);
  const from = place(start, 0);
  if (from > all.length) return { from };
  return { part: all.slice(from, Math.max(from, Math.min(place(end, all.length), all.length))).join(""), from };
}

function position(name: string, text: string, args: readonly Value[], last: boolean): number {
  const { sought, part, from } = within(name, text, args);
  if (part === undefined) return -1;
  const at = last ? part.lastIndexOf(sought) : part.indexOf(sought);
  return at < 0 ? -1 : from + pointCount(part.slice(0, at));
}

function found(at: number): bigint {
  if (at < 0) throw new PythonError("a text does not have what is sought");
  return BigInt(at);
}

function begins(
  name: string,
  text: string,
  args: readonly Value[],
  has: (part: string, one: string) => boolean,
): boolean {
  const [sought, start, end] = bind(name, ["prefix", "start", "end"], args, new Map(), 1, [undefined, null, null]);
  const { part } = partOf(text, start, end);
  if (Array.isArray(sought) && !(sought instanceof Tuple)) {
    throw new PythonError(`${name} takes a text or a tuple of them`);
  }
  const given = sought instanceof Tuple ? [...sought] : [sought];
  return given.map(textOf).some((one) => part !== undefined && has(part, one));
}

function cutAt(text: string, at: number, by: string): string[] {
  return [text.slice(0, at), by, text.slice(at + by.length)];
}

function turn(text: string): string {
  return [...text].reverse().join("");
}

function split(text: string, by: Value, most: number): Value[] {
  if (by === null) return splitAtSpace(text, most);
  const parts = text.split(separator(by));
  return most < 0 || parts.length <= most ? parts : [...parts.slice(0, most), parts.slice(most).join(by as string)];
}

function splitAtSpace(text: string, most: number): Value[] {
  const parts: string[] = [];
  let rest = trimStart(text);
  const gap = new RegExp(`[${SPACE}]+`);
  while (rest !== "" && (most < 0 || parts.length < most)) {
    const at = rest.search(gap);
    if (at < 0) break;
    parts.push(rest.slice(0, at));
    rest = trimStart(rest.slice(at));
  }
  return rest === "" ? parts : [...parts, parts.length === most ? rest : trimEnd(rest)];
}

/** `str.splitlines()`. */
export function lines(text: string, keepEnds = false): string[] {
  // deno-lint-ignore no-control-regex
  const found = text.match(/[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]|$)/g) ??
    [];
  const whole = found.filter((line, i) => line !== "" || i < found.length - 1);
  // deno-lint-ignore no-control-regex
  return keepEnds ? whole : whole.map((line) => line.replace(/(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])$/, ""));
}

/** `str.strip()` of space or of given characters, at either end. */
export function stripped(text: string, characters: Value, start: boolean, end: boolean): string {
  if (characters === undefined || characters === null) {
    const left = start ? trimStart(text) : text;
    return end ? trimEnd(left) : left;
  }
  const set = new Set(points(textOf(characters)));
  const all = points(text);
  let from = 0;
  let to = all.length;
  while (start && from < to && set.has(all[from])) from++;
  while (end && to > from && set.has(all[to - 1])) to--;
  return all.slice(from, to).join("");
}

/** `str.replace()`. */
export function replaced(text: string, from: string, to: string, count: number, budget: Budget): string {
  const parts = from === "" ? ["", ...points(text), ""] : text.split(from);
  const times = count < 0 ? parts.length - 1 : Math.min(count, parts.length - 1);
  budget.text(text.length + times * to.length);
  return parts.slice(0, times + 1).join(to) + parts.slice(times + 1).map((part) => from + part).join("");
}

/** `str.join()`. */
export function joined(by: string, members: readonly Value[], budget: Budget): string {
  const texts = members.map(textOf);
  budget.text(texts.reduce((sum, one) => sum + one.length + by.length, 0));
  return texts.join(by);
}

/** `str.capitalize()`. */
export function capitalized(text: string): string {
  const [first = "", ...rest] = points(text);
  return first.toUpperCase() + rest.join("").toLowerCase();
}

function titled(text: string): string {
  return text.replace(/[\p{L}]+/gu, (word) => capitalized(word));
}

/** Members of a dictionary by name, for methods that take them. */
export function namedOf(value: Value): Named {
  if (!(value instanceof Dict)) throw new PythonError(`a ${typeName(value)} cannot be spread into named arguments`);
  return new Map(value.pairs().map(([key, one]) => [textOf(key), one]));
}
