/**
 * Forms, and the field of a request that names its model.
 *
 * @module
 */
import * as v from "valibot";
import { isPathText, MAX_PATH_BYTES } from "../../json/path_text.ts";

const expected = `expected the id of a model, of at most ${MAX_PATH_BYTES} bytes`;

/** A model that the request has to name. */
export const modelField: v.GenericSchema<unknown, string> = v.pipe(
  v.string(expected),
  v.check((name) => isPathText(name) && name.trim() !== "", expected),
);

/** What the text of a field stands for: a `word` is a text that is never empty, `texts` may come several times. */
export type FormFieldKind = "text" | "word" | "number" | "boolean" | "texts";

/** A decimal number as JSON and people write it. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Turns texts into the values that a body of JSON would have, for the same schema: what is not a number or boolean
 * stays a text, which the schema then names, and so do the digits of a whole number that JSON numbers cannot hold. An
 * empty number, boolean or word counts as absent, since forms of browsers send all their fields.
 */
export function formFields(
  texts: ReadonlyMap<string, readonly string[]>,
  kinds: Readonly<Record<string, FormFieldKind>>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, values] of texts) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : "text";
    const value = kind === "texts" ? values : valueOf(values[0].trim(), kind, values[0]);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

function valueOf(word: string, kind: Exclude<FormFieldKind, "texts">, text: string): unknown {
  if (kind === "text") return text;
  if (word === "") return undefined;
  if (kind === "word") return text;
  if (kind === "boolean") {
    const index = ["false", "0", "true", "1"].indexOf(word.toLowerCase());
    return index < 0 ? text : index > 1;
  }
  const number = NUMBER.test(word) ? Number(word) : NaN;
  const isExact = Number.isSafeInteger(number) || !/^[+-]?\d+$/.test(word);
  return Number.isFinite(number) && isExact ? number : word;
}
