/**
 * Values as text: `str()`, `repr()` and `json.dumps()` of Python.
 *
 * @module
 */
import { spacedJson } from "../../../json/json_sources.ts";
import {
  Callable,
  Dict,
  Float,
  Generator,
  isNumber,
  jsonSource,
  LoopState,
  Namespace,
  PythonError,
  Range,
  Tuple,
  typeName,
  UnsupportedError,
  type Value,
  View,
} from "./values.ts";

/** Longest text of a list or dictionary. */
const MAX_TEXT = 16 * 1024 * 1024;

/** `str()`. */
export function str(value: Value): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : new Writer().write(value);
}

/** `repr()`. */
export function repr(value: Value): string {
  return new Writer().write(value);
}

/** Writes values, up to a limit. */
class Writer {
  #left = MAX_TEXT;

  write(value: Value): string {
    const text = this.#written(value);
    this.#left -= text.length;
    if (this.#left < 0) throw new RangeError("Cannot show a value: it is too long");
    return text;
  }

  #written(value: Value): string {
    if (value === undefined) return "Undefined";
    if (value === null) return "None";
    if (typeof value === "boolean") return value ? "True" : "False";
    if (typeof value === "string") return textRepr(value);
    if (typeof value === "bigint") return String(value);
    if (value instanceof Float) return value.written ?? floatText(value.number);
    if (value instanceof Dict) return this.#dict(value);
    if (value instanceof Namespace) return `<Namespace ${this.#dict(value.members)}>`;
    if (value instanceof LoopState) return `<LoopContext ${value.index0 + 1}/${value.items.length}>`;
    if (value instanceof Callable || value instanceof Generator) {
      throw new UnsupportedError(`it shows a ${typeName(value)}, whose text is an address in Python`);
    }
    if (value instanceof Range) return rangeText(value);
    const members = value.map((one) => this.write(one));
    if (value instanceof Tuple) return `(${[...members].join(", ")}${value.length === 1 ? "," : ""})`;
    return value instanceof View ? `dict_view([${[...members].join(", ")}])` : `[${members.join(", ")}]`;
  }

  #dict(dict: Dict): string {
    return `{${dict.pairs().map(([key, value]) => `${this.write(key)}: ${this.write(value)}`).join(", ")}}`;
  }
}

function rangeText({ start, stop, step }: Range): string {
  return `range(${start}, ${stop}${step === 1 ? "" : `, ${step}`})`;
}

/** A float as Python shows it: the shortest digits, with an exponent below 1e-4 and from 1e16 on. */
export function floatText(number: number): string {
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number > 0 ? "inf" : "-inf";
  if (Object.is(number, -0)) return "-0.0";
  const [digits, exponent] = number.toExponential().split("e");
  const power = Number(exponent);
  if (number !== 0 && (power < -4 || power >= 16)) {
    return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  // Below 1e21 JavaScript writes all digits, and fewer than 17 are significant here.
  const plain = power < 0
    ? number.toFixed(Math.max(0, digits.replace(/[-.]/g, "").length - 1 - power))
    : String(number);
  return plain.includes(".") ? plain : `${plain}.0`;
}

const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

function textRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/[\\\p{C}\p{Z}]/gu, (one) => {
    if (one === " ") return one;
    if (shortEscapes[one] !== undefined) return shortEscapes[one];
    const code = one.codePointAt(0)!;
    const hex = code.toString(16);
    return code < 256
      ? `\\x${hex.padStart(2, "0")}`
      : code < 65536
      ? `\\u${hex.padStart(4, "0")}`
      : `\\U${hex.padStart(8, "0")}`;
  });
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

/** How `json.dumps()` writes. */
export interface JsonStyle {
  readonly ascii: boolean;
  /** What each level is indented by; undefined for one line. */
  readonly indent: string | undefined;
  /** Between members, and between a key and its value. */
  readonly separators: readonly [string, string];
  readonly sorted: boolean;
}

function unicodeEscape(one: string): string {
  return `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** `json.dumps()`; what was given as JSON stays as it was written, except for the space between its tokens. */
export function jsonText(value: Value, style: JsonStyle, compareKeys: (a: Value, b: Value) => number): string {
  let left = MAX_TEXT;
  const string = (json: string): string => style.ascii ? json.replace(/[^\0-~]/g, unicodeEscape) : json;
  const write = (one: Value, margin: string): string => {
    const text = written(one, margin);
    left -= text.length;
    if (left < 0) throw new RangeError("Cannot write JSON: it is too long");
    return text;
  };
  const group = (open: string, members: readonly string[], close: string, margin: string): string => {
    if (members.length === 0 || style.indent === undefined) return open + members.join(style.separators[0]) + close;
    const inner = `\n${margin}${style.indent}`;
    return `${open}${inner}${members.join(style.separators[0] + inner)}\n${margin}${close}`;
  };
  const written = (one: Value, margin: string): string => {
    if (one === null) return "null";
    if (typeof one === "string") return jsonString(one, style.ascii);
    if (typeof one === "boolean" || typeof one === "bigint") return String(one);
    if (one instanceof Float) return one.written ?? jsonFloat(one.number);
    const source = style.sorted ? undefined : jsonSource(one);
    if (source !== undefined) return spacedJson(source, { ...style, margin, string });
    const inner = margin + (style.indent ?? "");
    if (one instanceof Dict) {
      const pairs = one.pairs();
      if (style.sorted) pairs.sort(([a], [b]) => compareKeys(a, b));
      const members = pairs.map(([key, member]) =>
        jsonString(jsonKey(key), style.ascii) + style.separators[1] + write(member, inner)
      );
      return group("{", members, "}", margin);
    }
    if (Array.isArray(one) && /list|tuple/.test(typeName(one))) {
      return group("[", [...one].map((member) => write(member, inner)), "]", margin);
    }
    throw new PythonError(`a ${typeName(one)} cannot be JSON`);
  };
  return write(value, "");
}

function jsonFloat(number: number): string {
  if (Number.isFinite(number)) return floatText(number);
  return Number.isNaN(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
}

function jsonKey(key: Value): string {
  if (typeof key === "string") return key;
  if (key === null) return "null";
  if (isNumber(key)) return key instanceof Float ? jsonFloat(key.number) : String(key);
  throw new PythonError(`a ${typeName(key)} cannot be a key of JSON`);
}

const jsonEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
};

/** What JSON escapes; `ascii` escapes all that is not ASCII. */
function jsonString(text: string, ascii: boolean): string {
  // deno-lint-ignore no-control-regex
  const escaped = text.replace(ascii ? /[^ -~]|["\\]/g : /[\0-\x1f"\\]/g, (one) => {
    return jsonEscapes[one] ?? unicodeEscape(one);
  });
  return `"${escaped}"`;
}
