/**
 * Undeclared keys.
 *
 * @module
 */
import { character, choice, type CodeRange, EMPTY, type Expression, repeat, sequence, text } from "../expression.ts";
import { anyString, complement, intersect, PLAIN } from "../json_text.ts";

/** Of longer names only the beginning is compared: no key starts with it. */
const LONGEST_COMPARED = 64;

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
