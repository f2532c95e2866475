/**
 * Numbers, times of day, dates, money, temperatures and numbers with units in words. Plain amounts of dollars, pounds and
 * euros are read with the numbers.
 *
 * @module
 */
import { alternatives, capitalized, WORD_END, WORD_START } from "./character_classes.ts";
import { cardinal, ordinal } from "./number_words.ts";
import { type NormalizeTables, type RewriteRule, rewriteRule, type WordForms } from "./normalize_tables.ts";

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

/** A full stop after the match is the end of a sentence and takes the place of that of "p.m.". */
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

const NUMBER = "\\d+(?:,\\d{3})*(?:\\.\\d+)?";
const SCALE = `hundred|thousand|million|billion|trillion|[kKmMbB]${WORD_END}`;
/** Neither within a word nor after the point of a number. */
const APART = "(?<![\\p{L}\\p{N}_.])";

const scales: Readonly<Record<string, string>> = { k: "thousand", m: "million", b: "billion" };
const temperatureScales: Readonly<Record<string, string>> = { C: " Celsius", F: " Fahrenheit" };

/** The rules, in their order. */
export function quantityRules({ currency, units }: NormalizeTables): readonly RewriteRule[] {
  return [
    rewriteRule(
      new RegExp(`([$£€])(${NUMBER})\\s?(${SCALE})`, "gu"),
      ({ text, groups: [sign, amount, scale] }) =>
        sign in currency ? `${amount} ${scaleWord(scale)} ${currency[sign][1]}` : text,
    ),
    rewriteRule(
      new RegExp(`${APART}(${NUMBER})\\s?¢`, "gu"),
      ({ groups: [amount] }) => counted(amount, currency["¢"] ?? ["cent", "cents"]),
    ),
    rewriteRule(
      new RegExp(`(?<![\\p{L}\\p{N}_])([¥₹₩]|Rs\\.?|USD|EUR|GBP)\\s?(${NUMBER})(?:\\s?(${SCALE}))?`, "gu"),
      ({ text, groups: [sign, amount, scale] }) => {
        const forms = currency[sign.replace(/\.$/, "")];
        if (forms === undefined) return text;
        return scale === "" ? counted(amount, forms) : `${amount} ${scaleWord(scale)} ${forms[1]}`;
      },
    ),
    rewriteRule(
      new RegExp(`${APART}(-?${NUMBER})\\s?°\\s?([CF])?${WORD_END}`, "gu"),
      ({ groups: [amount, scale] }) => counted(amount, ["degree", "degrees"]) + (temperatureScales[scale] ?? ""),
    ),
    rewriteRule(
      new RegExp(`${APART}(-?${NUMBER})\\s?(${alternatives(Object.keys(units))})${WORD_END}`, "gu"),
      ({ groups: [amount, unit] }) => counted(amount, units[unit]),
    ),
  ];
}

function counted(amount: string, [singular, plural]: WordForms): string {
  return `${amount} ${["1", "1.0", "-1"].includes(amount.replaceAll(",", "")) ? singular : plural}`;
}

function scaleWord(scale: string): string {
  return scales[scale.toLowerCase()] ?? scale;
}
