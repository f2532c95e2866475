/**
 * The grammar of JSON (RFC 8259), as far as answers use it, and of single values and members.
 *
 * @module
 */
import {
  character,
  choice,
  type CodeRange,
  type Expression,
  oneOf,
  optional,
  repeat,
  rule,
  sequence,
  text,
} from "./expression.ts";

/** Unescaped characters of a string. */
export const PLAIN: readonly CodeRange[] = [[0x20, 0x21], [0x23, 0x5b], [0x5d, 0x10ffff]];

const hexDigit = character([0x30, 0x39], [0x41, 0x46], [0x61, 0x66]);
const digit = character([0x30, 0x39]);

const escaped = sequence(
  text("\\"),
  choice(
    oneOf('"\\/bfnrt'),
    // Surrogates only occur in pairs.
    sequence(text("u"), oneOf("0123456789abcefABCEF"), repeat(hexDigit, 3, 3)),
    sequence(text("u"), oneOf("dD"), character([0x30, 0x37]), repeat(hexDigit, 2, 2)),
    sequence(
      sequence(text("u"), oneOf("dD"), oneOf("89abAB"), repeat(hexDigit, 2, 2)),
      sequence(text("\\u"), oneOf("dD"), oneOf("cdefCDEF"), repeat(hexDigit, 2, 2)),
    ),
  ),
);

/** A character of a string, in any spelling. */
export const stringCharacter: Expression = rule("character");

/** Any string. */
export const anyString: Expression = rule("string");

/** Any value. */
export const anyValue: Expression = rule("value");

/** Any object. */
export const anyObject: Expression = rule("object");

/** Any array. */
export const anyArray: Expression = rule("array");

/** Allowed whitespace: one space, or a line break with indentation. */
export const gap: Expression = rule("gap");

/** After the key of a member. */
const colon: Expression = sequence(text(":"), optional(text(" ")));

/** Between members and between elements. */
export const comma: Expression = sequence(text(","), gap);

/** Decimal digits that a double represents exactly. */
export const integerDigits = 15;

/** An integer that a double represents exactly. */
export const anyInteger: Expression = choice(
  text("0"),
  sequence(optional(text("-")), character([0x31, 0x39]), repeat(digit, 0, integerDigits - 1)),
);

/** A finite number without meaningless digits. */
export const anyNumber: Expression = sequence(
  optional(text("-")),
  choice(text("0"), sequence(character([0x31, 0x39]), repeat(digit, 0, integerDigits - 1))),
  optional(sequence(text("."), repeat(digit, 1, integerDigits))),
  optional(sequence(oneOf("eE"), optional(oneOf("+-")), repeat(digit, 1, 2))),
);

/** Comma-separated elements, possibly none. */
function list(element: Expression): Expression {
  return optional(sequence(element, repeat(sequence(comma, element), 0, Infinity)));
}

/** The rules that the expressions of this module name. */
export const jsonRules: readonly (readonly [string, Expression])[] = [
  ["gap", optional(choice(text(" "), sequence(text("\n"), repeat(oneOf(" \t"), 0, 32))))],
  ["character", choice(character(...PLAIN), escaped)],
  ["string", sequence(text('"'), repeat(stringCharacter, 0, Infinity), text('"'))],
  ["array", sequence(text("["), gap, list(anyValue), gap, text("]"))],
  ["object", sequence(text("{"), gap, list(sequence(anyString, colon, anyValue)), gap, text("}"))],
  [
    "value",
    choice(anyString, anyNumber, anyObject, anyArray, text("true"), text("false"), text("null")),
  ],
];

/** The serializations of a value, which differ only in whitespace. */
function jsonLiteral(value: unknown): Expression {
  if (Array.isArray(value)) return enclosed("[", value.map(jsonLiteral), "]");
  if (typeof value !== "object" || value === null) return text(JSON.stringify(value));
  return enclosed("{", Object.entries(value).map(([key, item]) => sequence(memberKey(key), jsonLiteral(item))), "}");
}

/** Key and colon of a member. */
export function memberKey(name: string): Expression {
  return sequence(text(JSON.stringify(name)), colon);
}

/** Comma-separated items between brackets. */
function enclosed(open: string, items: readonly Expression[], close: string): Expression {
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

/** A character of a string, in distinguishable spellings: literal, or escaped by a backslash. */
export function spelled(ranges: readonly CodeRange[]): Expression {
  const plain = intersect(ranges, PLAIN);
  const parts: Expression[] = plain.length > 0 ? [character(...plain)] : [];
  for (const [first, last] of ranges) {
    for (let code = first; code <= Math.min(last, 0x5c); code++) {
      if (code < 0x20 || code === 0x22 || code === 0x5c) {
        parts.push(text(JSON.stringify(String.fromCodePoint(code)).slice(1, -1)));
      }
    }
  }
  return choice(...parts);
}

/** The intersection of code points. */
export function intersect(a: readonly CodeRange[], b: readonly CodeRange[]): CodeRange[] {
  return a.flatMap(([from, to]) =>
    b.map(([first, last]): CodeRange => [Math.max(from, first), Math.min(to, last)]).filter(([x, y]) => x <= y)
  );
}

/** The complement of code points. */
export function complement(ranges: readonly CodeRange[]): CodeRange[] {
  const rest: CodeRange[] = [];
  let next = 0;
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    if (first > next) rest.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= 0x10ffff) rest.push([next, 0x10ffff]);
  return rest;
}
