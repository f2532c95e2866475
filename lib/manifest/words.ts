/**
 * Texts for values, rules and counts in messages.
 *
 * @module
 */
import { quote } from "../json/json_text.ts";
import type { Rule } from "./validate/rule.ts";

/** A short description of a value: strings, numbers and booleans literally, anything else by its type. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "number":
      return Math.abs(value) === Infinity ? "a number out of range" : String(value);
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? `an array of ${count(value.length, "item")}` : "an object";
    case "boolean":
    case "undefined":
      return String(value);
    default:
      return `a ${typeof value}`;
  }
}

/** The type that a rule requires, such as `integer or null`. */
export function typeWords({ type, nullable }: Rule): string {
  const word = type === "value" ? "JSON value" : type;
  return nullable ? `${word} or null` : word;
}

/** The words with their article. */
export function withArticle(words: string): string {
  return (VOWELS.includes(words[0]) ? "an " : "a ") + words;
}

/** The allowed strings. */
export function choiceWords(choices: Iterable<string>): string {
  const quoted = Array.from(choices, quote);
  return quoted.length === 1 ? quoted[0] : `one of ${quoted.join(", ")}`;
}

/** A count with its noun, such as `1 item` or `3 items`. */
export function count(n: number, thing: string): string {
  return `${n} ${thing}${n === 1 ? "" : "s"}`;
}

const VOWELS = "aeiou";
