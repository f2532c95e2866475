/**
 * Why a value breaks a rule.
 *
 * @module
 */
import { closestWord } from "../words/closest_word.ts";
import type { Rule } from "./rule.ts";
import { choiceWords, describeValue, quote, typeWords, withArticle } from "./words.ts";

/** A finding whose place is not told yet. */
export interface Fault {
  readonly rule: string;
  readonly actual: string;
  readonly expected: string;
  readonly meant?: string;
  readonly otherPointer?: string;
}

/** Why a value breaks the rule. The first reason is enough: without it the later ones would not be asked for. */
export function faultOf(value: unknown, rule: Rule): Fault {
  const actual = describeValue(value);
  const fault = (id: string, expected: string): Fault => ({ rule: id, actual, expected });
  if (typeof value === "string" && rule.type === "string") {
    if (rule.constant !== undefined) return fault("const", choiceWords([rule.constant]));
    if (rule.pattern) return fault("pattern", rule.pattern.words);
    if (rule.choices === undefined) return { rule: "min_length", actual: "empty", expected: "at least 1 character" };
    const meant = closestWord(value, rule.choices);
    const expected = choiceWords(rule.choices);
    return meant === undefined ? fault("enum", expected) : { rule: "enum", actual, expected, meant };
  }
  const isNumber = rule.type === "integer" ? Number.isInteger(value) : rule.type === "number" && Number.isFinite(value);
  if (!isNumber) return fault("type", typeWords(rule));
  if ((value as number) < rule.minimum) return fault("minimum", `at least ${rule.minimum}`);
  if ((value as number) > rule.maximum) return fault("maximum", `at most ${rule.maximum}`);
  return fault("exclusive_minimum", `more than ${rule.above}`);
}

/** The message of a fault; `subject` is what has it. */
export function faultMessage(subject: string, { rule, actual, expected, meant }: Fault): string {
  const wanted = rule === "type" ? withArticle(expected) : expected;
  return `${subject} is ${actual}, expected ${wanted}${meant === undefined ? "" : `; did you mean ${quote(meant)}?`}`;
}
