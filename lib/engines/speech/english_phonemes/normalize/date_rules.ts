/**
 * Times of day and dates in words.
 *
 * @module
 */
import { alternatives, capitalized, WORD_END, WORD_START } from "../character_classes.ts";
import { cardinal, ordinal } from "../number_words.ts";
import { type RewriteRule, rewriteRule } from "./rewrite_rule.ts";

/** Two-digit years up to this one belong to this century. */
const LAST_SHORT_YEAR = 30;

/** Rules for times and for dates in digits: they come before everything else that digits can mean. */
export function digitDateRules(months: readonly string[]): readonly RewriteRule[] {
  const dated = (year: string, month: string, day: string) => date(months, year, month, day);
  return [
    rewriteRule(
      new RegExp(
        `${WORD_START}(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?:\\s?([AaPp])\\.?[Mm]\\.?(?![A-Za-z]))?(?!\\d)`,
        "gu",
      ),
      ({ text, groups: [hour, minute, second, half], next }) => time(hour, minute, second, half, next === ".") ?? text,
    ),
    rewriteRule(
      new RegExp(`${WORD_START}(\\d{4})-(\\d{2})-(\\d{2})${WORD_END}`, "gu"),
      ({ text, groups: [year, month, day] }) => dated(year, month, day) ?? text,
    ),
    rewriteRule(
      new RegExp(`${WORD_START}(\\d{1,2})/(\\d{1,2})/(\\d{4}|\\d{2})${WORD_END}`, "gu"),
      ({ text, groups: [first, second, year] }) => {
        const long = year.length === 4 ? year : `${Number(year) > LAST_SHORT_YEAR ? "19" : "20"}${year}`;
        return (Number(first) <= 12 ? dated(long, first, second) : dated(long, second, first)) ?? text;
      },
    ),
  ];
}

/** Rules for dates with the name of a month, which come when numbers with units are done. */
export function namedDateRules(byShortName: Readonly<Record<string, string>>): readonly RewriteRule[] {
  const names = [...Object.values(byShortName), ...Object.keys(byShortName).map(capitalized), "Sept"];
  const month = alternatives(names);
  const nameOf = (written: string) => byShortName[written.slice(0, 3).toLowerCase()];
  return [
    rewriteRule(
      new RegExp(
        `${WORD_START}(${month})\\.? (\\d{1,2})(?:st|nd|rd|th)?${WORD_END}(?![:%])(,? \\d{4}${WORD_END})?`,
        "gu",
      ),
      ({ text, groups: [name, day, year] }) => isDay(day) ? `${nameOf(name)} ${ordinal(day)}${year}` : text,
    ),
    rewriteRule(
      new RegExp(`${WORD_START}(the )?(\\d{1,2}) (?:of )?(${month})${WORD_END}\\.?`, "gu"),
      ({ text, groups: [, day, name] }) => isDay(day) ? `the ${ordinal(day)} of ${nameOf(name)}` : text,
    ),
  ];
}

/** A date; without a year when it is empty. Undefined when there is no such day. */
export function date(months: readonly string[], year: string, month: string, day: string): string | undefined {
  if (Number(month) < 1 || Number(month) > 12 || !isDay(day)) return undefined;
  return `${months[Number(month) - 1]} ${ordinal(day)}${year === "" ? "" : `, ${year}`}`;
}

function isDay(day: string): boolean {
  return Number(day) >= 1 && Number(day) <= 31;
}

/** A full stop behind the match is the end of a sentence and takes the place of that of "p.m.". */
function time(hour: string, minute: string, second: string, half: string, stopped: boolean): string | undefined {
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const words = [cardinal(hour)];
  if (Number(minute) > 0) words.push(...Number(minute) < 10 ? ["oh"] : [], cardinal(minute));
  else if (half === "" && second === "") words.push("o'clock");
  if (second !== "") words.push("and", cardinal(second), Number(second) === 1 ? "second" : "seconds");
  // With full stops its letters are spelt.
  if (half !== "") words.push(`${half.toUpperCase()}.M${stopped ? "" : "."}`);
  return words.join(" ");
}
