/**
 * The message of a violated rule of a request.
 *
 * @module
 */
import type { BaseIssue } from "valibot";
import type { RequestIssue } from "./request_issue.ts";
import { show } from "./show.ts";

/**
 * Describes the one of some issues of valibot that matters most: missing fields first, then wrong types, then violated
 * rules. The message of a rule is `expected …`.
 *
 * @param action The words after "Cannot", such as `start a rollout`.
 * @param body What was checked.
 * @param issues At least one.
 * @param rank Orders violated rules by the path of their field; the lowest is described, the first of equal ones.
 */
export function describeIssue(
  action: string,
  body: unknown,
  issues: readonly BaseIssue<unknown>[],
  rank: (param: string) => number = () => 0,
): RequestIssue {
  const order = (issue: BaseIssue<unknown>): number =>
    isMissing(issue) ? -2 : issue.kind === "schema" ? -1 : rank(paramOf(issue));
  const found = issues.reduce((best, issue) => order(issue) < order(best) ? issue : best);
  const param = paramOf(found);
  if (isMissing(found)) {
    return { kind: "missing", message: `Cannot ${action}: "${param}" is missing`, param };
  }
  // A rule over several fields has all of them as its input: the value is that of the field that it names.
  const value = keysOf(found).reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], body);
  const message = `Cannot ${action}: "${param}" is ${show(value)}, ${found.message}`;
  return { kind: found.kind === "schema" ? "type" : "rule", message, param };
}

function isMissing(issue: BaseIssue<unknown>): boolean {
  return issue.kind === "schema" && issue.received === "undefined";
}

function paramOf(issue: BaseIssue<unknown>): string {
  return keysOf(issue).map((key, i) => typeof key === "number" ? `[${key}]` : i ? `.${key}` : key).join("");
}

function keysOf(issue: BaseIssue<unknown>): (string | number)[] {
  return (issue.path ?? []).map((item) => item.key as string | number);
}
