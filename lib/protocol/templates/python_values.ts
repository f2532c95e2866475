/**
 * Python's treatment of template values where the Jinja library differs or fails.
 *
 * @module
 */
import type { Environment } from "@huggingface/jinja";
import { turnNames, useOf } from "./python_program.ts";
import { made, type TemplateValue, writtenNumber } from "./source_values.ts";

/** Maximum number of letters of a list or dictionary that is shown. */
const MAX_TEXT = 16 * 1024 * 1024;

/** Functions behind filters and methods that the library lacks; no template can name them. */
export const PYTHON_FUNCTIONS: Readonly<Record<string, unknown>> = {
  "filter format": formatPercent,
  "method format": formatBraces,
  "filter min": (list: readonly TemplateValue[]) => Math.min(...list.map(({ value }) => Number(value))),
  "filter max": (list: readonly TemplateValue[]) => Math.max(...list.map(({ value }) => Number(value))),
};

/** Each iteration of a loop starts without the variables set by the previous one. */
export function beginTurn(node: object | undefined, scope: Environment): void {
  const names = turnNames(node);
  if (names === undefined) return;
  for (const name of scope.variables.keys()) if (!names.has(name) && name !== "namespace") scope.variables.delete(name);
}

/** The value of an expression as Python would use it. */
export function asPython(node: object | undefined, value: TemplateValue | undefined): TemplateValue {
  // The first of no members, for example.
  if (value === undefined) return made(undefined);
  switch (useOf(node)) {
    case "text":
      return shownOtherwise.has(value.type) || writtenNumber(value) !== undefined ? made(pythonText(value)) : value;
    case "loop":
      if (value.type === "StringValue") return made([...value.value as string]);
      unpackable(value);
      return value.type === "UndefinedValue" ? made([]) : value;
    case "joined":
      if (!Array.isArray(value.value)) {
        return value.type === "UndefinedValue" || value.type === "NullValue" ? made([]) : value;
      }
      return Object.assign(made([]), {
        value: (value.value as TemplateValue[]).map((item) => asTextNumber(item)),
      });
    case "list":
      return value.type === "UndefinedValue" ? made([]) : value;
    case "several":
      return value.type === "UndefinedValue" || value.type === "NullValue" ? made([]) : value;
    case "word":
      return value.type === "UndefinedValue" ? made("") : value;
    default:
      return value;
  }
}

function asTextNumber(value: TemplateValue): TemplateValue {
  const written = writtenNumber(value);
  return written === undefined ? value : made(written);
}

const shownOtherwise = new Set(["NullValue", "UndefinedValue", "BooleanValue", "ArrayValue", "ObjectValue"]);

/** `str()` of a value. */
function pythonText(value: TemplateValue): string {
  return value.type === "UndefinedValue" ? "" : new PythonWriter().literal(value);
}

/** Writes `repr()` of values, up to a limit. */
class PythonWriter {
  #left = MAX_TEXT;

  literal(value: TemplateValue): string {
    const text = this.#write(value);
    this.#left -= text.length;
    if (this.#left < 0) throw new RangeError("Cannot show a value: it is too long");
    return text;
  }

  #write(value: TemplateValue): string {
    switch (value.type) {
      case "NullValue":
        return "None";
      case "BooleanValue":
        return value.value ? "True" : "False";
      case "StringValue":
        return pythonString(value.value as string);
      case "ArrayValue":
        return `[${(value.value as TemplateValue[]).map((one) => this.literal(one)).join(", ")}]`;
      case "ObjectValue": {
        const members = [...value.value as Map<string, TemplateValue>];
        return `{${members.map(([key, inner]) => `${pythonString(key)}: ${this.literal(inner)}`).join(", ")}}`;
      }
      default:
        return value.toString();
    }
  }
}

function pythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  // JSON escapes as Python does, except for quotes and control characters without a short escape.
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replace(/\\u00(?=[01])/g, "\\x");
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

/** The library only unpacks lists. */
function unpackable({ value }: TemplateValue): void {
  if (!Array.isArray(value)) return;
  for (const member of value as TemplateValue[]) if (member.type as string === "TupleValue") member.type = "ArrayValue";
}

/** The filter `format` with `%s` and `%d`; its arguments are texts already. */
function formatPercent(format: string, ...given: readonly string[]): string {
  let next = 0;
  return format.replace(/%[sd%]/g, (mark) => mark === "%%" ? "%" : given[next++] ?? mark);
}

/** The method `format` with `{}` and `{0}`; its arguments are texts already. */
function formatBraces(format: string, ...given: readonly string[]): string {
  let next = 0;
  return format.replace(/\{\{|\}\}|\{(\d*)\}/g, (mark, place) => {
    if (mark === "{{" || mark === "}}") return mark[0];
    return given[place === "" ? next++ : Number(place)] ?? mark;
  });
}
