/**
 * JSON texts as values of templates, which see numbers as they were written.
 *
 * @module
 */
import { scanJson } from "../../json/scan_json.ts";
import { stringText } from "../../json/json_tokens.ts";

/** A variable of a template that is given as a valid JSON text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Makes a value of what a text has, and of how it is written there. */
export interface JsonMaker<Value> {
  readonly object: (members: readonly (readonly [name: string, value: Value])[], written: string) => Value;
  readonly array: (items: readonly Value[], written: string) => Value;
  readonly string: (text: string, written: string) => Value;
  readonly number: (written: string) => Value;
  /** True, false or null. */
  readonly literal: (value: boolean | null) => Value;
}

interface Open<Value> {
  readonly start: number;
  readonly isObject: boolean;
  readonly values: Value[];
  readonly names: string[];
}

/** The value of a valid JSON text. */
export function valueOfJson<Value>(text: string, make: JsonMaker<Value>): Value {
  const open: Open<Value>[] = [{ start: 0, isObject: false, values: [], names: [] }];
  const add = (value: Value): void => void open[open.length - 1].values.push(value);
  scanJson(text, {
    name: (start, end) => open[open.length - 1].names.push(stringText(text, start, end)),
    scalar: (start, end) => add(scalarOf(text.slice(start, end), make)),
    open: (start, isObject) => open.push({ start, isObject, values: [], names: [] }),
    close: (end) => {
      const { start, isObject, values, names } = open.pop() as Open<Value>;
      const written = text.slice(start, end);
      add(isObject ? make.object(names.map((name, i) => [name, values[i]]), written) : make.array(values, written));
    },
  });
  return open[0].values[0];
}

function scalarOf<Value>(written: string, make: JsonMaker<Value>): Value {
  if (written[0] === '"') return make.string(stringText(written, 0, written.length), written);
  return /^[tfn]/.test(written) ? make.literal(written === "null" ? null : written === "true") : make.number(written);
}
