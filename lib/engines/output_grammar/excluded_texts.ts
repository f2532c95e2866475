/**
 * Grammars that exclude texts: keys that a schema does not declare, and text without a mark.
 *
 * @module
 */
import {
  character,
  choice,
  type CodeRange,
  EMPTY,
  type Expression,
  repeat,
  rule,
  sequence,
  text,
} from "./expression.ts";
import { anyString, complement, intersect, PLAIN } from "./json_grammar.ts";

/** Of longer names only the beginning is compared: no key starts with it. */
const LONGEST_COMPARED = 64;

/** What the names of rules for such keys begin with: the loose grammar takes any key there. */
export const OTHER_KEYS = "other_keys_";

/** Strings other than these names. If there are names to exclude, letters are not escaped. */
export function otherKeys(names: readonly string[]): Expression {
  if (names.length === 0) return anyString;
  return sequence(text('"'), except(names.map((name) => Array.from(name).slice(0, LONGEST_COMPARED)), 0), text('"'));
}

const anyRest = repeat(character(...PLAIN), 0, Infinity);

/** Suffixes that complete none of the names, which share the prefix so far. */
function except(names: readonly (readonly string[])[], at: number): Expression {
  const byLetter = new Map<string, (readonly string[])[]>();
  for (const name of names.filter((name) => name.length > at)) {
    byLetter.set(name[at], [...byLetter.get(name[at]) ?? [], name]);
  }
  const taken = [...byLetter.keys()].map((letter): CodeRange => [letter.codePointAt(0)!, letter.codePointAt(0)!]);
  const other = sequence(character(...intersect(complement(taken), PLAIN)), anyRest);
  const same = [...byLetter]
    // No key may contain a letter that must be escaped.
    .filter(([letter]) => intersect([[letter.codePointAt(0)!, letter.codePointAt(0)!]], PLAIN).length > 0)
    .filter(() => at + 1 < LONGEST_COMPARED)
    .map(([letter, those]) => sequence(text(letter), except(those, at + 1)));
  const isTaken = names.some((name) => name.length === at);
  return choice(...isTaken ? [] : [EMPTY], other, ...same);
}

/**
 * Adds the rules for texts without a mark, by the automaton of Knuth, Morris and Pratt (1977): one rule for each length
 * of a prefix of the mark that a text ends with.
 *
 * @param mark Not empty.
 * @param rules Receives the rules, whose names start with `name`.
 */
export function textWithout(mark: string, rules: Map<string, Expression>, name: string): Expression {
  const letters = Array.from(mark);
  const known = [...new Set(letters)];
  const others = complement(known.map(codeRange));
  for (let matched = 0; matched < letters.length; matched++) {
    const byNext = new Map<number, CodeRange[]>([[0, others]]);
    for (const letter of known) {
      const next = longestEnd([...letters.slice(0, matched), letter], letters);
      if (next < letters.length) byNext.set(next, [...byNext.get(next) ?? [], codeRange(letter)]);
    }
    const parts = [...byNext].map(([next, ranges]) => sequence(character(...ranges), rule(`${name}${next}`)));
    rules.set(`${name}${matched}`, choice(EMPTY, ...parts));
  }
  return rule(`${name}0`);
}

function codeRange(letter: string): CodeRange {
  return [letter.codePointAt(0)!, letter.codePointAt(0)!];
}

/** Length of the longest prefix of a mark that a text ends with. */
function longestEnd(text: readonly string[], mark: readonly string[]): number {
  for (let count = Math.min(text.length, mark.length); count > 0; count--) {
    const end = text.slice(text.length - count);
    if (end.every((letter, i) => letter === mark[i])) return count;
  }
  return 0;
}
