/**
 * Request fields that are refused because they would change the result, and fields that are ignored.
 *
 * @module
 */
import { asciiText } from "./ascii_text.ts";
import { closestWord } from "./closest_word.ts";
import { show } from "./show.ts";

/** Maximum number of fields of a body; no real request has more, and each costs time. */
export const MAX_FIELDS: number = 1000;

/** An unsupported field that would change the answer. */
export interface FieldRefusal {
  readonly field: string | RegExp;
  /** Values without an effect; null never has one. */
  readonly neutral?: readonly unknown[];
  readonly remedy: string;
}

/** A field that must be refused. */
export interface RefusedField {
  readonly name: string;
  /** Its value and what was expected, such as `"n" is 2, expected 1`. */
  readonly reason: string;
}

/** The first field of a body with an unsupported effect. */
export function findRefusedField(
  body: Readonly<Record<string, unknown>>,
  refusals: readonly FieldRefusal[],
): RefusedField | undefined {
  for (const [name, value] of Object.entries(body)) {
    const refusal = refusalOf(name, refusals);
    if (refusal === undefined || value === null) continue;
    if (refusal.neutral?.some((neutral) => JSON.stringify(neutral) === JSON.stringify(value))) continue;
    return { name, reason: `${show(name)} is ${show(value)}, ${refusal.remedy}` };
  }
  return undefined;
}

/** The refusal of a field, unless its value has no effect. */
export function refusalOf(name: string, refusals: readonly FieldRefusal[]): FieldRefusal | undefined {
  return refusals.find(({ field }) => typeof field === "string" ? field === name : field.test(name));
}

/** An ignored field. */
export interface IgnoredField {
  /** Its path, such as `messages[0].x`. */
  readonly path: string;
  readonly name: string;
  /** Names that may have been meant. */
  readonly known: readonly string[];
}

/** More sentences would not fit into a response header. */
const MAX_SENTENCES = 16;

/** A sentence per ignored field, as many as fit into a header, in ASCII. */
export function ignoredSentences(fields: readonly IgnoredField[]): string[] {
  const sentences = fields.slice(0, MAX_SENTENCES).map(({ path, name, known }) => {
    const meant = closestWord(name, known);
    return asciiText(`Ignored the unknown field ${show(path)}${meant ? `, did you mean "${meant}"?` : ""}`);
  });
  const others = fields.length - sentences.length;
  return others === 0 ? sentences : [...sentences, `Ignored ${others} more fields`];
}
