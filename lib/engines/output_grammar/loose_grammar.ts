/**
 * Loose grammars, which accept more and cost less.
 *
 * @module
 */
import { character, choice, type Expression, type Grammar, repeat, sequence } from "./expression.ts";
import { anyString, PLAIN, stringCharacter } from "./json_text.ts";

/** Counts up to this one are kept: each step of a count costs about as much as a small grammar. */
const MAX_COUNTED = 3;

/**
 * A grammar that accepts all texts of another one and more: large repetitions are not counted, and strings with only a
 * length may have any. The exact grammar rejects the surplus.
 */
export function looseGrammar({ root, rules }: Grammar): Grammar {
  return { root: loosen(root), rules: new Map([...rules].map(([name, e]) => [name, loosen(e)])) };
}

function loosen(e: Expression): Expression {
  switch (e.kind) {
    case "sequence":
      return isCountedString(e.parts) ? anyString : sequence(...e.parts.map(loosen));
    case "choice":
      return choice(...e.parts.map(loosen));
    case "repeat": {
      const part = e.part === stringCharacter ? character(...PLAIN) : loosen(e.part);
      if (!isBroad(part) || Math.max(e.min, e.max === Infinity ? 0 : e.max) <= MAX_COUNTED) {
        return repeat(part, e.min, e.max);
      }
      return repeat(part, Math.min(e.min, 1), Infinity);
    }
    default:
      return e;
  }
}

function isCountedString([open, inside, close, ...rest]: readonly Expression[]): boolean {
  const isQuote = (e: Expression | undefined) => e?.kind === "text" && e.text === '"';
  return rest.length === 0 && isQuote(open) && isQuote(close) && inside?.kind === "repeat" &&
    inside.part === stringCharacter;
}

/** Whether many tokens may follow in it, as in free text. Digits and literals do not count. */
function isBroad(e: Expression): boolean {
  switch (e.kind) {
    case "character":
      return e.ranges.some(([first, last]) => last - first >= 20);
    case "sequence":
    case "choice":
      return e.parts.some(isBroad);
    case "repeat":
      return isBroad(e.part);
    case "rule":
      return true;
    default:
      return false;
  }
}
