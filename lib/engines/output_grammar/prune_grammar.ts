/**
 * Removes dead ends from grammars.
 *
 * @module
 */
import { choice, type Expression, type Grammar, NEVER, repeat, sequence } from "./expression.ts";

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
