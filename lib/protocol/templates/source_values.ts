/**
 * Values of the Jinja library that know how they were written as JSON, and JSON that is written of values.
 *
 * @module
 */
import { Environment, type Interpreter } from "@huggingface/jinja";
import { spacedJson } from "../../json/json_sources.ts";
import { type JsonMaker, JsonText, valueOfJson } from "./json_values.ts";

/** A value while a template is rendered. */
export type TemplateValue = ReturnType<Interpreter["evaluate"]>;

/** The JSON text of values that were given as one. */
const sources = new WeakMap<TemplateValue, string>();

/** A value of the library. */
export function made(value: unknown): TemplateValue {
  return new Environment().set("value", value);
}

const FloatValue = made(0.5).constructor as new (value: number) => TemplateValue;

function known(value: TemplateValue, written: string): TemplateValue {
  sources.set(value, written);
  return value;
}

const maker: JsonMaker<TemplateValue> = {
  object: (members, written) => known(container({}, new Map(members)), written),
  array: (items, written) => known(container([], [...items]), written),
  string: (text, written) => known(made(text), written),
  number: (written) => {
    // A number calculates as a double, and shows as it was written.
    const value = /[.eE]/.test(written) ? new FloatValue(Number(written)) : made(Number(written));
    value.toString = () => written;
    return known(value, written);
  },
  literal: made,
};

function container(empty: object, members: unknown): TemplateValue {
  return Object.assign(made(empty), { value: members });
}

/** A variable as a value, with {@linkcode JsonText} at any depth. */
export function templateValue(given: unknown): TemplateValue {
  if (given instanceof JsonText) return valueOfJson(given.text, maker);
  if (Array.isArray(given)) return container([], given.map(templateValue));
  if (typeof given !== "object" || given === null) return made(given);
  return container({}, new Map(Object.entries(given).map(([name, value]) => [name, templateValue(value)])));
}

/** The text of a number that was given as JSON. */
export function writtenNumber(value: TemplateValue): string | undefined {
  return value.type === "IntegerValue" || value.type === "FloatValue" ? sources.get(value) : undefined;
}

/** How `json.dumps()` of Python writes. */
export interface JsonStyle {
  readonly ascii: boolean;
  readonly indent: string | undefined;
  readonly separators: readonly [string, string];
  readonly sorted: boolean;
}

/** The filter `tojson`: what was given as JSON stays as it was written, but for the space between its tokens. */
export function toJson(value: TemplateValue, style: JsonStyle, margin = ""): string {
  const string = (json: string): string => style.ascii ? asciiJson(json) : json;
  const source = sources.get(value);
  const isSorted = style.sorted && (value.type === "ObjectValue" || value.type === "ArrayValue");
  if (source !== undefined && !isSorted) return spacedJson(source, { ...style, margin, string });
  switch (value.type) {
    case "NullValue":
    case "UndefinedValue":
      return "null";
    case "StringValue":
    case "BooleanValue":
    case "IntegerValue":
      return source ?? string(JSON.stringify(value.value));
    case "FloatValue":
      return source ?? value.toString();
    default: {
      const inner = margin + (style.indent ?? "");
      const held = value.value as unknown;
      if (Array.isArray(held)) {
        return group("[", (held as TemplateValue[]).map((item) => toJson(item, style, inner)), "]", style, margin);
      }
      if (!(held instanceof Map)) throw new Error(`Cannot convert to JSON: ${value.type}`);
      const members = [...held as Map<string, TemplateValue>];
      if (style.sorted) members.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
      const written = members.map(([name, member]) =>
        string(JSON.stringify(name)) + style.separators[1] + toJson(member, style, inner)
      );
      return group("{", written, "}", style, margin);
    }
  }
}

function group(open: string, members: readonly string[], close: string, style: JsonStyle, margin: string): string {
  if (members.length === 0 || style.indent === undefined) return open + members.join(style.separators[0]) + close;
  const inner = `\n${margin}${style.indent}`;
  return `${open}${inner}${members.join(style.separators[0] + inner)}\n${margin}${close}`;
}

function asciiJson(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
