/**
 * Given values.
 *
 * @module
 */
import { choice, type Expression, sequence, text } from "./expression.ts";
import { colon, comma, gap } from "./json_text.ts";

/** The texts of a value, which differ in their space only. */
export function jsonLiteral(value: unknown): Expression {
  if (Array.isArray(value)) return enclosed("[", value.map(jsonLiteral), "]");
  if (typeof value !== "object" || value === null) return text(JSON.stringify(value));
  return enclosed("{", Object.entries(value).map(([key, item]) => sequence(memberKey(key), jsonLiteral(item))), "}");
}

/** Key and colon of a member. */
export function memberKey(name: string): Expression {
  return sequence(text(JSON.stringify(name)), colon);
}

/** What stands between brackets, with commas between. */
export function enclosed(open: string, items: readonly Expression[], close: string): Expression {
  const between = items.flatMap((item, i) => i === 0 ? [item] : [comma, item]);
  return sequence(text(open), gap, ...between, gap, text(close));
}

/** Any of some values. */
export function jsonLiterals(values: readonly unknown[]): Expression {
  return choice(...values.map(jsonLiteral));
}
