/**
 * Why a value violates a rule.
 *
 * @module
 */
import { closestWord } from "../../errors/closest_word.ts";
import type { Rule } from "./rule.ts";
import { quote } from "../../json/json_text.ts";
import { choiceWords, describeValue, typeWords, withArticle } from "../words.ts";

/** A finding without its location. */
export interface Fault {
  readonly rule: string;
  readonly actual: string;
  readonly expected: string;
  readonly meant?: string;
  readonly otherPointer?: string;
}

/** Why a value violates the rule. Only the first reason is reported: the later ones depend on it. */
export function faultOf(value: unknown, rule: Rule): Fault {
  if (typeof value === "string" && rule.type === "string") return stringFault(value, rule);
  const isNumber = rule.type === "integer" ? Number.isInteger(value) : rule.type === "number" && Number.isFinite(value);
  const actual = describeValue(value);
  if (!isNumber) return { rule: "type", actual, expected: typeWords(rule) };
  const number = value as number;
  if (number < rule.minimum) return { rule: "minimum", actual, expected: `at least ${rule.minimum}` };
  if (number > rule.maximum) return { rule: "maximum", actual, expected: `at most ${rule.maximum}` };
  return { rule: "exclusive_minimum", actual, expected: `more than ${rule.above}` };
}

function stringFault(value: string, { constant, pattern, choices }: Rule): Fault {
  if (constant !== undefined) return { rule: "const", actual: quote(value), expected: quote(constant) };
  if (pattern) return { rule: "pattern", actual: quote(value), expected: pattern.words };
  if (choices === undefined) return { rule: "min_length", actual: "empty", expected: "at least 1 character" };
  const fault = { rule: "enum", actual: quote(value), expected: choiceWords(choices) };
  const meant = closestWord(value, choices);
  return meant === undefined ? fault : { meant, ...fault };
}

/** The message of a fault; `subject` names the value. */
export function faultMessage(subject: string, { rule, actual, expected, meant }: Fault): string {
  const wanted = rule === "type" ? withArticle(expected) : expected;
  const message = `${subject} is ${actual}, expected ${wanted}`;
  return meant === undefined ? message : `${message}; did you mean ${quote(meant)}?`;
}
