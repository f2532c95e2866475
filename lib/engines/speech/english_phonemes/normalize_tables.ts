/**
 * What text is normalised with: the word tables of `normalize.json`, and rules that rewrite what they match.
 *
 * @module
 */
import * as v from "valibot";

/** Singular and plural. */
export type WordForms = readonly [singular: string, plural: string];

/** Tables of words. */
export interface NormalizeTables {
  /** From three small letters to the month, January first. */
  readonly months: Readonly<Record<string, string>>;
  /** Before a name, such as `Prof`. */
  readonly titles: Readonly<Record<string, string>>;
  /** With their full stop, such as `approx.`. */
  readonly abbreviations: Readonly<Record<string, string>>;
  /** After a number, such as `km`. */
  readonly units: Readonly<Record<string, WordForms>>;
  /** Single characters. */
  readonly symbols: Readonly<Record<string, string>>;
  /** Signs and codes of currencies. */
  readonly currency: Readonly<Record<string, WordForms>>;
  /** Words that a Roman numeral follows as a cardinal number, such as `Chapter`. */
  readonly roman_cardinal: readonly string[];
  /** Words that a Roman numeral follows as an ordinal number, such as `Henry`. */
  readonly roman_ordinal: readonly string[];
}

const words = v.record(v.pipe(v.string(), v.minLength(1), v.maxLength(64)), v.pipe(v.string(), v.maxLength(64)));
const forms = v.record(v.pipe(v.string(), v.minLength(1), v.maxLength(64)), v.tuple([v.string(), v.string()]));
const list = v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(64))), v.minLength(1));
const schema = v.object({
  months: v.pipe(words, v.check((months) => Object.keys(months).length === 12, "expected twelve months")),
  titles: words,
  abbreviations: words,
  units: forms,
  symbols: words,
  currency: forms,
  roman_cardinal: list,
  roman_ordinal: list,
});

/**
 * Checks the parsed file.
 *
 * @throws {Error} naming the table that cannot be used.
 */
export function readNormalizeTables(json: unknown, file: string): NormalizeTables {
  const read = v.safeParse(schema, json);
  if (read.success) return read.output as NormalizeTables;
  const { path, message } = read.issues[0];
  throw new Error(`Cannot use ${file}: ${path?.map(({ key }) => String(key)).join(".") ?? "the whole"}: ${message}`);
}

/** A match with its context; groups that took no part are empty. */
interface RuleMatch {
  readonly text: string;
  readonly groups: readonly string[];
  /** What follows the match. */
  readonly next: string;
}

/** Replaces every match of a pattern. */
export type RewriteRule = (text: string) => string;

/**
 * Makes a rule.
 *
 * @param pattern With the flags `gu`.
 * @param replace The replacement of a match.
 */
export function rewriteRule(pattern: RegExp, replace: (match: RuleMatch) => string): RewriteRule {
  return (text) =>
    text.replace(pattern, (matched: string, ...rest: unknown[]) => {
      const offset = rest.findIndex((value) => typeof value === "number");
      const groups = rest.slice(0, offset).map((group) => typeof group === "string" ? group : "");
      const end = (rest[offset] as number) + matched.length;
      return replace({ text: matched, groups, next: text.slice(end, end + 1) });
    });
}
