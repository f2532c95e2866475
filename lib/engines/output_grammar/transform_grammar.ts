/**
 * What is done to a grammar before it is written: dead ends are removed, and the loose form is made, which accepts more
 * and costs less.
 *
 * @module
 */
import { character, choice, type Expression, type Grammar, NEVER, repeat, sequence } from "./expression.ts";
import { OTHER_KEYS } from "./excluded_texts.ts";
import { anyString, PLAIN, stringCharacter } from "./json_grammar.ts";

/**
 * Removes what can never produce a finite text, such as an endless list, and unreachable rules. Undefined when nothing
 * is left.
 */
export function pruneGrammar({ root, rules }: Grammar): Grammar | undefined {
  const ending = endingRules(rules);
  const isNever = (e: Expression) => e.kind === "choice" && e.parts.length === 0;
  const prune = (e: Expression): Expression => {
    switch (e.kind) {
      case "rule":
        return ending.has(e.name) ? e : NEVER;
      case "sequence": {
        const parts = e.parts.map(prune);
        return parts.some(isNever) ? NEVER : sequence(...parts);
      }
      case "choice":
        return choice(...e.parts.map(prune).filter((part) => !isNever(part)));
      case "repeat": {
        const part = prune(e.part);
        return !isNever(part) ? repeat(part, e.min, e.max) : e.min === 0 ? sequence() : NEVER;
      }
      default:
        return e;
    }
  };
  const pruned = prune(root);
  if (isNever(pruned)) return undefined;
  const kept = new Map<string, Expression>();
  const open = [pruned];
  for (let e = open.pop(); e !== undefined; e = open.pop()) {
    if (e.kind === "sequence" || e.kind === "choice") open.push(...e.parts);
    else if (e.kind === "repeat") open.push(e.part);
    else if (e.kind === "rule" && !kept.has(e.name)) {
      const body = prune(rules.get(e.name) ?? NEVER);
      kept.set(e.name, body);
      open.push(body);
    }
  }
  return { root: pruned, rules: kept };
}

/** Rules with a finite text. */
function endingRules(rules: Grammar["rules"]): ReadonlySet<string> {
  const ending = new Set<string>();
  const ends = (e: Expression): boolean => {
    switch (e.kind) {
      case "rule":
        return ending.has(e.name);
      case "sequence":
        return e.parts.every(ends);
      case "choice":
        return e.parts.some(ends);
      case "repeat":
        return e.min === 0 || ends(e.part);
      default:
        return true;
    }
  };
  // Rules are created from the outside in: iterating backwards, most rounds find all.
  const open = [...rules].reverse();
  for (let found = -1; found !== ending.size;) {
    found = ending.size;
    for (const [name, e] of open) if (!ending.has(name) && ends(e)) ending.add(name);
  }
  return ending;
}

/** Counts up to this one are kept: each step of a count costs about as much as a small grammar. */
const MAX_COUNTED = 3;

/**
 * A grammar that accepts all texts of another one and more: large repetitions are not counted, strings with only a
 * length may have any, and undeclared keys may be declared ones. The exact grammar rejects the surplus.
 */
export function looseGrammar({ root, rules }: Grammar): Grammar {
  const loose = [...rules].map(([name, e]) => [name, name.startsWith(OTHER_KEYS) ? anyString : loosen(e)] as const);
  return { root: loosen(root), rules: new Map(loose) };
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
