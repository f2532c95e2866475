/**
 * Roman numerals, telephone numbers, fractions and ranges in words.
 *
 * @module
 */
import { alternatives, WORD_END, WORD_START } from "../character_classes.ts";
import { ordinal } from "../number_words.ts";
import { date } from "./date_rules.ts";
import type { NormalizeTables } from "./normalize_tables.ts";
import { type RewriteRule, rewriteRule } from "./rewrite_rule.ts";

const ROMAN = "((?=[IVXLC])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))";
const romanValues: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

/** Parts of a whole by their number, 2 to 10. */
const PARTS = ",,half,third,quarter,fifth,sixth,seventh,eighth,ninth,tenth".split(",");

/** The rules, in their order. */
export function numeralRules(tables: NormalizeTables): readonly RewriteRule[] {
  const months = Object.values(tables.months);
  const roman = (words: readonly string[]) =>
    new RegExp(`${WORD_START}(${alternatives(words)}) ${ROMAN}${WORD_END}(?![.'’][\\p{L}\\p{N}_])`, "gu");
  return [
    rewriteRule(roman(tables.roman_cardinal), ({ groups: [word, numeral] }) => `${word} ${romanValue(numeral)}`),
    rewriteRule(
      roman(tables.roman_ordinal),
      ({ groups: [word, numeral] }) => `${word} the ${ordinal(`${romanValue(numeral)}`)}`,
    ),
    rewriteRule(
      /(?<![\p{L}\p{N}_.\-])(?:\d{3}-)?\d{3}-\d{4}(?![\p{L}\p{N}_.\-])/gu,
      ({ text }) => [...text.replaceAll("-", ", ")].join(" "),
    ),
    rewriteRule(
      /(?<![\p{L}\p{N}_./])(\d{1,2})\/(\d{1,2})(?![\p{L}\p{N}_./])/gu,
      ({ groups: [above, below] }) => fraction(months, Number(above), Number(below)),
    ),
    rewriteRule(
      /(?<![\p{L}\p{N}_.\-])(\d{1,4})\s?[-–]\s?(\d{1,4})(?![\p{L}\p{N}_.\-%])/gu,
      ({ groups: [from, to] }) => `${from} to ${to}`,
    ),
  ];
}

function romanValue(numeral: string): number {
  const values = [...numeral].map((letter) => romanValues[letter]);
  return values.reduce((total, value, i) => total + (values[i + 1] > value ? -value : value), 0);
}

/** An unusual fraction may be a day of a month. */
function fraction(months: readonly string[], above: number, below: number): string {
  if (above > 0 && above < below && below <= 10) {
    if (below === 2) return "one half";
    return `${above} ${PARTS[below]}${above === 1 ? "" : "s"}`;
  }
  return date(months, "", `${above}`, `${below}`) ?? `${above} slash ${below}`;
}
