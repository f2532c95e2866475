/**
 * Texts that do not contain a mark.
 *
 * @module
 */
import { character, choice, type CodeRange, EMPTY, type Expression, rule, sequence } from "./expression.ts";
import { complement } from "./json_text.ts";

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
