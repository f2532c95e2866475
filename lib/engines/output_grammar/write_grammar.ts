/**
 * Writes grammars for xgrammar, with characters beyond ASCII as UTF-8.
 *
 * @module
 */
import { type CodeRange, EMPTY, type Expression, type Grammar } from "./expression.ts";
import { intersect } from "./json_grammar.ts";

/**
 * Writes a grammar in xgrammar's EBNF, using only what its version 0.1.27 parses literally. Classes are of bytes, so
 * that characters beyond ASCII are spelled as UTF-8. xgrammar confuses alternatives within a rule that share a prefix
 * and a suffix: each gets its own rule unless they start with different letters. Each rule references another, if only
 * the empty one, since xgrammar inlines rules without references. A rule that ends with a reference to itself is a loop
 * and costs nothing.
 */
export function writeExact(grammar: Grammar): string {
  return write(grammar, new GrammarWriter(exactCharacter));
}

/**
 * Writes a loose grammar, for which xgrammar computes masks of a large vocabulary quickly: with one class for
 * characters, which treats all beyond ASCII alike, and with strings in xgrammar's fastest form.
 *
 * @param grammar As `looseGrammar` makes it.
 */
export function writeLoose(grammar: Grammar): string {
  const rules = new Map(grammar.rules);
  rules.delete("string");
  return `${write({ root: grammar.root, rules }, new GrammarWriter(looseCharacter))}\n${LOOSE_STRING}`;
}

/** The lookahead determines, independent of outer rules, whether a token can contain the end of a string. */
const LOOSE_STRING = String.raw`rule_string ::= "\"" string_rest
string_rest ::= ("\"" | [^"\\\x00-\x1f] string_rest | "\\" string_escape string_rest) (= [ \n]* [,}\]:<])
string_escape ::= ["\\/bfnrt] | "u" [0-9A-Fa-f] [0-9A-Fa-f] [0-9A-Fa-f] [0-9A-Fa-f]`;

function write({ root, rules }: Grammar, writer: GrammarWriter): string {
  const named = [["root", root] as const, ...[...rules].map(([name, e]) => [`rule_${name}`, e] as const)];
  const written = named.map(([name, e]) => [name, writer.write(e)] as const);
  const lines = [...written, ...writer.parts()].map(([name, body]) =>
    `${name} ::= ${/\brule_/.test(body) ? body : `${body} empty`}`
  );
  return [...lines, 'empty ::= ""'].join("\n");
}

class GrammarWriter {
  readonly #character: (ranges: readonly CodeRange[]) => string;
  readonly #names = new Map<string, string>();

  constructor(character: (ranges: readonly CodeRange[]) => string) {
    this.#character = character;
  }

  /** Expressions that became rules of their own. */
  *parts(): Generator<readonly [name: string, body: string]> {
    for (const [body, name] of this.#names) yield [name, body];
  }

  write(e: Expression): string {
    switch (e.kind) {
      case "text":
        return quote(e.text);
      case "character":
        return this.#character(e.ranges);
      case "sequence":
        return e.parts.length === 0 ? '""' : `(${e.parts.map((part) => this.write(part)).join(" ")})`;
      case "choice":
        return alternatives(e.parts.map((part) => beginDifferently(e.parts) ? this.write(part) : this.#part(part)));
      case "repeat":
        return `${this.#part(e.part)}${writeCount(e.min, e.max)}`;
      case "rule":
        return `rule_${e.name}`;
    }
  }

  #part(e: Expression): string {
    const body = this.write(e);
    if (e.kind === "rule" || e.kind === "character") return body;
    const name = this.#names.get(body) ?? `part_${this.#names.size}`;
    this.#names.set(body, name);
    return name;
  }
}

/** Whether the first letter distinguishes some alternatives. */
function beginDifferently(parts: readonly Expression[]): boolean {
  const firsts = parts.map(firstLetters);
  return firsts.every((first, i) =>
    first !== undefined && firsts.slice(0, i).every((other) => intersect(first, other ?? []).length === 0)
  );
}

/** The first letters of a text; none for the empty one, undefined where it is not obvious. */
function firstLetters(e: Expression): readonly CodeRange[] | undefined {
  switch (e.kind) {
    case "text":
      return Array.from(e.text).slice(0, 1).map((letter) => [letter.codePointAt(0)!, letter.codePointAt(0)!]);
    case "character":
      return e.ranges;
    case "sequence":
      return e.parts.length === 0 ? [] : e.parts[0] === EMPTY ? undefined : firstLetters(e.parts[0]);
    default:
      return undefined;
  }
}

function alternatives(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0] : `(${parts.join(" | ")})`;
}

function writeCount(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  return `{${min},${max}}`;
}

function quote(text: string): string {
  const codes = Array.from(text, (letter) => letter.codePointAt(0)!);
  const letters = codes.map((code) => {
    if (code >= 0x20 && code < 0x7f && code !== 0x22 && code !== 0x5c) return String.fromCodePoint(code);
    return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
  });
  return `"${letters.join("")}"`;
}

/** One class for ASCII, and the byte classes for each range beyond. */
function exactCharacter(ranges: readonly CodeRange[]): string {
  const ascii = asciiOf(ranges);
  const beyond = ranges.flatMap(([first, last]) => utf8Ranges(Math.max(first, 0x80), last))
    .map((bytes) => `(${bytes.map((byte) => byteClass([byte])).join(" ")})`);
  return alternatives([...ascii.length > 0 ? [byteClass(ascii)] : [], ...beyond]);
}

/** A negated class includes all characters beyond ASCII. */
function looseCharacter(ranges: readonly CodeRange[]): string {
  const ascii = asciiOf(ranges);
  if (!ranges.some(([, last]) => last > 0x7f)) return byteClass(ascii);
  const missing: CodeRange[] = [];
  for (let code = 0; code < 0x80; code++) {
    if (!ascii.some(([first, last]) => first <= code && code <= last)) missing.push([code, code]);
  }
  return `[^${missing.map(([code]) => `\\x${hex(code, 2)}`).join("")}]`;
}

function asciiOf(ranges: readonly CodeRange[]): CodeRange[] {
  return ranges.filter(([first]) => first <= 0x7f).map(([first, last]): CodeRange => [first, Math.min(last, 0x7f)]);
}

/** A class of one byte beyond ASCII would be read as a character: such a byte is listed twice. */
function byteClass(ranges: readonly CodeRange[]): string {
  const inside = ranges.map(([first, last]) =>
    first === last ? `\\x${hex(first, 2)}`.repeat(2) : `\\x${hex(first, 2)}-\\x${hex(last, 2)}`
  );
  return `[${inside.join("")}]`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** A sequence of bytes, each within its range. */
type ByteRanges = readonly CodeRange[];

/** Largest code points of one to four bytes. */
const LAST = [0x7f, 0x7ff, 0xffff, 0x10ffff];

/**
 * The UTF-8 encodings of a range of code points (Unicode Standard, table 3-7), without surrogates.
 *
 * @param first At least 0x80: lower ones are their own bytes.
 */
export function utf8Ranges(first: number, last: number): ByteRanges[] {
  if (first > last) return [];
  if (first <= 0xdfff && last >= 0xd800) return [...utf8Ranges(first, 0xd7ff), ...utf8Ranges(0xe000, last)];
  for (const end of LAST) {
    if (first <= end && last > end) return [...utf8Ranges(first, end), ...utf8Ranges(end + 1, last)];
  }
  // Split until all bytes after the first difference have their full range.
  const count = encode(first).length;
  for (let i = 1; i < count; i++) {
    const mask = 2 ** (6 * i) - 1;
    if (Math.floor(first / (mask + 1)) === Math.floor(last / (mask + 1))) continue;
    if ((first & mask) !== 0) return [...utf8Ranges(first, first | mask), ...utf8Ranges((first | mask) + 1, last)];
    if ((last & mask) !== mask) return [...utf8Ranges(first, (last & ~mask) - 1), ...utf8Ranges(last & ~mask, last)];
  }
  const [from, to] = [encode(first), encode(last)];
  return [from.map((byte, i): CodeRange => [byte, to[i]])];
}

function encode(code: number): number[] {
  return [...new TextEncoder().encode(String.fromCodePoint(code))];
}
