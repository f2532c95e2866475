/**
 * JSON literals.
 *
 * @module
 */
import { choice, type Expression, sequence, text } from "./expression.ts";
import { colon, comma, gap } from "./json_text.ts";

/** The serializations of a value, which differ only in whitespace. */
export function jsonLiteral(value: unknown): Expression {
  if (Array.isArray(value)) return enclosed("[", value.map(jsonLiteral), "]");
  if (typeof value !== "object" || value === null) return text(JSON.stringify(value));
  return enclosed("{", Object.entries(value).map(([key, item]) => sequence(memberKey(key), jsonLiteral(item))), "}");
}

/** Key and colon of a member. */
export function memberKey(name: string): Expression {
  return sequence(text(JSON.stringify(name)), colon);
}

/** Comma-separated items between brackets. */
export function enclosed(open: string, items: readonly Expression[], close: string): Expression {
  const between = items.flatMap((item, i) => i === 0 ? [item] : [comma, item]);
  return sequence(text(open), gap, ...between, gap, text(close));
}

/** A choice of values. */
export function jsonLiterals(values: readonly unknown[]): Expression {
  const [flat, nested] = [new Set<string>(), [] as unknown[]];
  for (const value of values) {
    if (typeof value === "object" && value !== null) nested.push(value);
    else flat.add(JSON.stringify(value));
  }
  return choice(...flat.size === 0 ? [] : [textTree([...flat])], ...nested.map(jsonLiteral));
}

/** A trie of texts: common prefixes are written once, which keeps large lists small. */
function textTree(texts: readonly string[]): Expression {
  if (texts.length === 1) return text(texts[0]);
  let shared = 0;
  while (shared < texts[0].length && texts.every((each) => each[shared] === texts[0][shared])) shared++;
  if (/[\ud800-\udbff]$/.test(texts[0].slice(0, shared))) shared--; // half a surrogate pair is not a character
  const branches = new Map<string, string[]>();
  for (const each of texts) {
    const rest = each.slice(shared);
    const letter = String.fromCodePoint(...rest === "" ? [] : [rest.codePointAt(0)!]);
    branches.set(letter, [...branches.get(letter) ?? [], rest]);
  }
  const parts = [...branches.values()].map(textTree);
  return sequence(text(texts[0].slice(0, shared)), choice(...parts));
}
