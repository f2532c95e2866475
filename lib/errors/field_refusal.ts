/**
 * Fields of requests that are refused where they would have an effect, and those that have none.
 *
 * @module
 */
import { closestWord } from "./closest_word.ts";
import { show } from "./show.ts";

/** Fields of a body, more of which nobody has and each of which costs time. */
export const MAX_FIELDS: number = 1000;

/** A field that would change the answer and that is not had here. */
export interface FieldRefusal {
  readonly field: string | RegExp;
  /** Values that ask for nothing; null always does. */
  readonly neutral?: readonly unknown[];
  readonly remedy: string;
}

/** A field that has to be refused. */
export interface RefusedField {
  readonly name: string;
  /** What it is and what was expected, such as `"n" is 2, expected 1`. */
  readonly reason: string;
}

/** The first field of a body that asks for something that is refused. */
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

/** The refusal of a field, which may have a value that asks for nothing. */
export function refusalOf(name: string, refusals: readonly FieldRefusal[]): FieldRefusal | undefined {
  return refusals.find(({ field }) => typeof field === "string" ? field === name : field.test(name));
}

/** A field that nothing reads. */
export interface IgnoredField {
  /** Where it stands, such as `messages[0].x`. */
  readonly path: string;
  readonly name: string;
  /** Names that may have been meant. */
  readonly known: readonly string[];
}

/** More sentences would not fit into a response header. */
const MAX_SENTENCES = 16;

/** A sentence for each field that nothing reads, as many as fit into a header, in ASCII. */
export function ignoredSentences(fields: readonly IgnoredField[]): string[] {
  const sentences = fields.slice(0, MAX_SENTENCES).map(({ path, name, known }) => {
    const meant = closestWord(name, known);
    const text = `Ignored the field ${show(path)}: it is not known${meant ? `, did you mean "${meant}"?` : ""}`;
    return text.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  });
  const others = fields.length - sentences.length;
  return others === 0 ? sentences : [...sentences, `Ignored ${others} more fields`];
}
