/**
 * Texts with places for values: `%` and `str.format()` of Python.
 *
 * @module
 */
import type { Budget } from "./budget.ts";
import { floatText, repr, str } from "./show.ts";
import {
  type Dict,
  double,
  Float,
  isNumber,
  type Named,
  PythonError,
  typeName,
  UnsupportedError,
  type Value,
} from "./values.ts";

/** How a value is written; the parts of Python's format specification. */
interface Form {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly alternate: boolean;
  readonly width: number;
  readonly grouping: string;
  readonly precision: number | undefined;
  readonly type: string;
}

const mark = /%(?:\(([^)]*)\))?([-+ 0#]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?([\s\S])/g;

/** `text % values`. */
export function formatPercent(text: string, values: readonly Value[], dict: Dict | undefined, budget: Budget): string {
  let used = 0;
  const next = (): Value => {
    if (used >= values.length) throw new PythonError("a text with more places than values");
    return values[used++];
  };
  const number = (given: string | undefined): number | undefined =>
    given === undefined ? undefined : given === "*" ? Number(next()) : Number(given);
  const formatted = text.replace(mark, (all, key, flags, widthText, precisionText, type) => {
    if (type === "%") return "%";
    const width = number(widthText) ?? 0;
    const precision = number(precisionText) ?? (all.includes(".") && !key?.includes(".") ? 0 : undefined);
    const value = key === undefined ? next() : dict?.has(key) ? dict.get(key) : missing(key);
    const left = flags.includes("-");
    const form: Form = {
      fill: flags.includes("0") && !left && /[dioxXeEfFgGu]/.test(type) ? "0" : " ",
      align: left ? "<" : flags.includes("0") && /[dioxXeEfFgGu]/.test(type) ? "=" : ">",
      sign: flags.includes("+") ? "+" : flags.includes(" ") ? " " : "",
      alternate: flags.includes("#"),
      width,
      grouping: "",
      precision,
      type,
    };
    budget.text(width + (precision ?? 0));
    if (type === "s" || type === "r" || type === "a") {
      const shown = type === "s" ? str(value) : repr(value);
      return padded(precision === undefined ? shown : [...shown].slice(0, precision).join(""), "", form);
    }
    if (type === "c") {
      return padded(typeof value === "bigint" ? String.fromCodePoint(Number(value)) : str(value), "", form);
    }
    if (!/[diouxXeEfFgG]/.test(type)) throw new PythonError(`%${type} is not a place`);
    if (!isNumber(value)) throw new PythonError(`a ${typeName(value)} cannot be shown with %${type}`);
    if (!/[diou]/.test(type)) return numberText(value, form);
    const whole = value instanceof Float ? BigInt(Math.trunc(value.number)) : BigInt(value);
    return numberText(whole, { ...form, type: type === "o" ? "o" : "d", precision: undefined });
  });
  if (dict === undefined && used < values.length) throw new PythonError("a text with fewer places than values");
  return formatted;
}

function missing(key: string): never {
  throw new PythonError(`no value for ${key}`);
}

/** Reads an attribute or a member of a value. */
export type Read = (value: Value, key: Value, isAttribute: boolean) => Value;

/** `text.format(...)`. */
export function formatBraces(
  text: string,
  args: readonly Value[],
  named: Named,
  budget: Budget,
  read: Read,
): string {
  let next = 0;
  const numbering = new Set<string>();
  const field = (path: string): Value => {
    const [, head, rest] = /^([^.[]*)([\s\S]*)$/.exec(path)!;
    let value: Value;
    if (head === "" || /^\d+$/.test(head)) {
      if (numbering.add(head === "" ? "automatic" : "by number").size > 1) {
        throw new PythonError("a text with places by number and without");
      }
      const at = head === "" ? next++ : Number(head);
      if (at >= args.length) throw new PythonError("a text with more places than values");
      value = args[at];
    } else {
      value = named.has(head) ? named.get(head) : missing(head);
    }
    for (const [, attribute, key] of rest.matchAll(/\.([^.[]+)|\[([^[\]]+)\]/g)) {
      if (attribute !== undefined) value = read(value, attribute, true);
      else value = read(value, /^\d+$/.test(key) ? BigInt(key) : key, false);
    }
    return value;
  };
  const fill = (source: string, depth: number): string =>
    source.replace(
      /\{\{|\}\}|\{([^{}!:]*)(?:!([rsa]))?(?::((?:[^{}]|\{[^{}]*\})*))?\}|[{}]/g,
      (all, path, conversion, spec) => {
        if (all === "{{" || all === "}}") return all[0];
        if (path === undefined || depth > 1) throw new PythonError("a text with a brace that is not a place");
        const value = field(path);
        const shown = conversion === undefined ? value : conversion === "s" ? str(value) : repr(value);
        return formatValue(shown, spec === undefined ? "" : fill(spec, depth + 1), budget);
      },
    );
  return fill(text, 0);
}

const specification = /^(?:([\s\S])?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([_,])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/u;

function formatValue(value: Value, spec: string, budget: Budget): string {
  if (spec === "") return str(value);
  const found = specification.exec(spec);
  if (found === null) throw new PythonError(`${spec} is not a format`);
  const [, fill, align, sign, , alternate, zero, width, grouping, precision, type] = found;
  const number = isNumber(value) && typeof value !== "boolean" ||
    typeof value === "boolean" && type !== undefined && type !== "s";
  const form: Form = {
    fill: fill ?? (zero === undefined ? " " : "0"),
    align: align ?? (zero !== undefined && number ? "=" : number ? ">" : "<"),
    sign: sign ?? "",
    alternate: alternate !== undefined,
    width: Number(width ?? 0),
    grouping: grouping ?? "",
    precision: precision === undefined ? undefined : Number(precision),
    type: type ?? "",
  };
  budget.text(form.width + (form.precision ?? 0));
  if (number) return numberText(value, form);
  if (typeof value !== "string" && typeof value !== "boolean") {
    throw new PythonError(`a ${typeName(value)} cannot have the format ${spec}`);
  }
  if (form.type !== "" && form.type !== "s" || form.align === "=" || form.sign !== "") {
    throw new PythonError(`${spec} is not a format of a text`);
  }
  const text = str(value);
  return padded(form.precision === undefined ? text : [...text].slice(0, form.precision).join(""), "", form);
}

function numberText(value: bigint | boolean | Float, form: Form): string {
  const whole = !(value instanceof Float);
  const negative = whole ? BigInt(value) < 0n : value.number < 0 || Object.is(value.number, -0);
  const sign = negative ? "-" : form.sign === "-" ? "" : form.sign;
  const type = form.type === "n" ? (whole ? "d" : "g") : form.type;
  if (whole && (type === "" || /[bodxXc]/.test(type))) {
    if (type === "c") return padded(String.fromCodePoint(Number(value)), "", form);
    const base = ({ b: 2, o: 8, x: 16, X: 16 } as Record<string, number>)[type] ?? 10;
    const absolute = BigInt(value) < 0n ? -BigInt(value) : BigInt(value);
    const digits = absolute.toString(base);
    const prefix = form.alternate && base !== 10 ? `0${type}` : "";
    return padded(
      grouped(type === "X" ? digits.toUpperCase() : digits, form.grouping, base === 10 ? 3 : 4),
      sign + prefix,
      form,
    );
  }
  const number = Math.abs(double(value));
  if (type === "d" || type === "x" || type === "X" || type === "o" || type === "b" || type === "c") {
    throw new PythonError(`a float cannot be shown with ${type}`);
  }
  const text = floatDigits(number, type, form.precision, form.alternate);
  const [, digits, rest] = /^(\d*)([\s\S]*)$/.exec(text)!;
  return padded(grouped(digits, form.grouping, 3) + rest, sign, form);
}

function floatDigits(number: number, type: string, given: number | undefined, alternate: boolean): string {
  if (!Number.isFinite(number)) {
    const name = Number.isNaN(number) ? "nan" : "inf";
    return (/[EFG]/.test(type) ? name.toUpperCase() : name) + (type === "%" ? "%" : "");
  }
  if (given !== undefined && given > 100) throw new UnsupportedError("it shows more than 100 digits of a number");
  const precision = given ?? 6;
  if (type === "f" || type === "F") return fixed(number, precision);
  if (type === "%") return `${fixed(number * 100, precision)}%`;
  if (type === "e" || type === "E") {
    const text = exponential(number, precision);
    return type === "E" ? text.toUpperCase() : text;
  }
  if (type === "" && given === undefined) return floatText(number);
  const significant = precision === 0 ? 1 : precision;
  const power = number === 0 ? 0 : Number(exponential(number, significant - 1).split("e")[1]);
  const plain = power >= -4 && power < (type === "" ? significant - 1 : significant);
  const text = plain ? fixed(number, Math.max(0, significant - 1 - power)) : exponential(number, significant - 1);
  const short = alternate ? text : withoutZeros(text);
  const shown = type === "" && plain && !short.includes(".") ? `${short}.0` : short;
  return type === "G" ? shown.toUpperCase() : shown;
}

/** Without the zeros at the end of the digits after the point. */
function withoutZeros(text: string): string {
  const [digits, power] = text.split("e");
  const short = digits.includes(".") ? digits.replace(/(?<!0)0+$/, "").replace(/\.$/, "") : digits;
  return power === undefined ? short : `${short}e${power}`;
}

function exponential(number: number, digits: number): string {
  const [mantissa, power] = number.toExponential(digits).split("e");
  return `${mantissa}e${power[0]}${power.slice(1).padStart(2, "0")}`;
}

/** Digits after the point; half of a digit goes to the even one, where JavaScript goes up. */
export function fixed(number: number, digits: number): string {
  if (Math.abs(number) >= 1e21) return BigInt(number) + (digits > 0 ? `.${"0".repeat(digits)}` : "");
  const text = Math.abs(number).toFixed(digits);
  const exact = Math.abs(number).toFixed(Math.min(100, digits + 30)).slice(digits === 0 ? text.length + 1 : 0);
  const tail = digits === 0 ? Math.abs(number).toFixed(30).split(".")[1] : exact.split(".")[1].slice(digits);
  const odd = Number(text.at(-1)) % 2 === 1;
  const even = /^50*$/.test(tail) && odd ? (Math.abs(number) - 10 ** -digits / 2).toFixed(digits) : text;
  return number < 0 ? `-${even}` : even;
}

function grouped(digits: string, mark: string, size: number): string {
  if (mark === "") return digits;
  const first = digits.length % size || size;
  const groups = [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += size) groups.push(digits.slice(at, at + size));
  return groups.join(mark);
}

function padded(text: string, sign: string, { fill, align, width }: Form): string {
  const missing = Math.max(0, width - [...text].length - sign.length);
  if (align === "=") return sign + fill.repeat(missing) + text;
  if (align === "<") return sign + text + fill.repeat(missing);
  if (align === "^") {
    const left = Math.floor(missing / 2);
    return fill.repeat(left) + sign + text + fill.repeat(missing - left);
  }
  return fill.repeat(missing) + sign + text;
}
