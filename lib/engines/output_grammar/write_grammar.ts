/**
 * Grammars as the text that xgrammar reads.
 *
 * @module
 */
import type { CodeRange, Expression, Grammar } from "./expression.ts";
import { utf8Ranges } from "./utf8_ranges.ts";

/**
 * Writes a grammar in xgrammar's EBNF. Only what its version 0.1.27 takes as written is used: classes are of bytes, so
 * that characters beyond ASCII are spelled as the bytes of UTF-8; no left recursion is made by this module.
 */
export function writeGrammar({ root, rules }: Grammar): string {
  const lines = [["root", root] as const, ...[...rules].map(([name, e]) => [`rule_${name}`, e] as const)];
  return lines.map(([name, e]) => `${name} ::= ${write(e)}`).join("\n");
}

function write(e: Expression): string {
  switch (e.kind) {
    case "text":
      return quote(e.text);
    case "character":
      return writeCharacter(e.ranges);
    case "sequence":
      return e.parts.length === 0 ? '""' : `(${e.parts.map(write).join(" ")})`;
    case "choice":
      return `(${e.parts.map(write).join(" | ")})`;
    case "repeat":
      return `${write(e.part)}${writeCount(e.least, e.most)}`;
    case "rule":
      return `rule_${e.name}`;
  }
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

function writeCharacter(ranges: readonly CodeRange[]): string {
  const ascii: CodeRange[] = [];
  const long: string[] = [];
  for (const [first, last] of ranges) {
    if (first <= 0x7f) ascii.push([first, Math.min(last, 0x7f)]);
    for (const bytes of utf8Ranges(Math.max(first, 0x80), last)) {
      long.push(`(${bytes.map((byte) => byteClass([byte])).join(" ")})`);
    }
  }
  const parts = [...ascii.length > 0 ? [byteClass(ascii)] : [], ...long];
  return parts.length === 1 ? parts[0] : `(${parts.join(" | ")})`;
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
