/**
 * Grammars as the text that xgrammar reads.
 *
 * @module
 */
import type { CodeRange, Expression, Grammar } from "./expression.ts";
import { utf8Ranges } from "./utf8_ranges.ts";

/**
 * Writes a grammar in xgrammar's EBNF. Only what its version 0.1.27 takes as written is used. Classes are of bytes, so
 * that characters beyond ASCII are spelled as the bytes of UTF-8. Alternatives within a rule that begin in the same way
 * and end in the same way get mixed up: each is a rule of its own, and each rule names the empty one, since a rule that
 * names no other is taken apart where it stands.
 */
export function writeGrammar({ root, rules }: Grammar): string {
  const writer = new GrammarWriter();
  const lines = [["root", root] as const, ...[...rules].map(([name, e]) => [`rule_${name}`, e] as const)]
    .map(([name, e]) => [name, writer.write(e)] as const);
  return [...lines, ...writer.parts()].map(([name, body]) => `${name} ::= ${body} empty`).join("\n") +
    '\nempty ::= ""';
}

class GrammarWriter {
  readonly #names = new Map<string, string>();

  /** What became a rule of its own. */
  *parts(): Generator<readonly [name: string, body: string]> {
    for (const [body, name] of this.#names) yield [name, body];
  }

  write(e: Expression): string {
    switch (e.kind) {
      case "text":
        return quote(e.text);
      case "character":
        return writeChoice(characterParts(e.ranges));
      case "sequence":
        return e.parts.length === 0 ? '""' : `(${e.parts.map((part) => this.write(part)).join(" ")})`;
      case "choice":
        return writeChoice(e.parts.map((part) => this.#part(part)));
      case "repeat":
        return `${this.#part(e.part)}${writeCount(e.least, e.most)}`;
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

function writeChoice(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0] : `(${parts.join(" | ")})`;
}

function writeCount(least: number, most: number): string {
  if (most === Infinity) return least === 0 ? "*" : least === 1 ? "+" : `{${least},}`;
  return least === 0 && most === 1 ? "?" : `{${least},${most}}`;
}

function quote(text: string): string {
  const codes = Array.from(text, (letter) => letter.codePointAt(0)!);
  return `"${
    codes.map((code) => {
      if (code >= 0x20 && code < 0x7f && code !== 0x22 && code !== 0x5c) return String.fromCodePoint(code);
      return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
    }).join("")
  }"`;
}

/** One class for ASCII, and for each stretch beyond the classes of its bytes. */
function characterParts(ranges: readonly CodeRange[]): string[] {
  const ascii = ranges.filter(([first]) => first <= 0x7f).map((
    [first, last],
  ): CodeRange => [first, Math.min(last, 0x7f)]);
  const beyond = ranges.flatMap(([first, last]) => utf8Ranges(Math.max(first, 0x80), last))
    .map((bytes) => `(${bytes.map((byte) => byteClass([byte])).join(" ")})`);
  return [...ascii.length > 0 ? [byteClass(ascii)] : [], ...beyond];
}

/** A class of one byte beyond ASCII would be read as a character: such a byte is named twice. */
function byteClass(ranges: readonly CodeRange[]): string {
  const inside = ranges.map(([first, last]) =>
    first === last ? `\\x${hex(first, 2)}\\x${hex(first, 2)}` : span(first, last)
  );
  return `[${inside.join("")}]`;
}

function span(first: number, last: number): string {
  return `\\x${hex(first, 2)}-\\x${hex(last, 2)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
