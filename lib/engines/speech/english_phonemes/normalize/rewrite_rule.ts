/**
 * One step of normalising a text.
 *
 * @module
 */

/** A match with what stands around it; groups that took no part are empty. */
export interface RuleMatch {
  readonly text: string;
  readonly groups: readonly string[];
  /** What follows the match. */
  readonly next: string;
}

/** Replaces every match of a pattern. */
export type RewriteRule = (text: string) => string;

/**
 * Makes a rule.
 *
 * @param pattern With the flags `gu`.
 * @param replace What stands in place of a match.
 */
export function rewriteRule(pattern: RegExp, replace: (match: RuleMatch) => string): RewriteRule {
  return (text) =>
    text.replace(pattern, (matched: string, ...rest: unknown[]) => {
      const offset = rest.findIndex((value) => typeof value === "number");
      const groups = rest.slice(0, offset).map((group) => typeof group === "string" ? group : "");
      const end = (rest[offset] as number) + matched.length;
      return replace({ text: matched, groups, next: text.slice(end, end + 1) });
    });
}
