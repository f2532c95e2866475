/**
 * Request fields that are refused because they would change the result, and the errors of fields that are wrong.
 *
 * @module
 */
import type { RequestIssue } from "./svc_error.ts";
import { show } from "./show.ts";
import type { BaseIssue } from "valibot";

/** Maximum number of fields of a body; no real request has more, and each costs time. */
export const MAX_FIELDS: number = 1000;

/** An unsupported field that would change the answer. */
export interface FieldRefusal {
  readonly field: string | RegExp;
  /** Values without an effect; null never has one. */
  readonly neutral?: readonly unknown[];
  readonly remedy: string;
}

/** A field that must be refused. */
interface RefusedField {
  readonly name: string;
  /** Its value and what was expected, such as `"n" is 2, expected 1`. */
  readonly reason: string;
}

/** The first field of a body with an unsupported effect. */
export function findRefusedField(
  body: Readonly<Record<string, unknown>>,
  refusals: readonly FieldRefusal[],
): RefusedField | undefined {
  for (const [name, value] of Object.entries(body)) {
    const refusal = refusalOf(name, refusals);
    if (refusal === undefined || asksForNothing(value, refusal)) continue;
    return { name, reason: `${show(name)} is ${show(value)}, ${refusal.remedy}` };
  }
  return undefined;
}

/** Whether the value of an unsupported field has no effect. */
export function asksForNothing(value: unknown, { neutral = [] }: FieldRefusal): boolean {
  return value === null || neutral.some((one) => JSON.stringify(one) === JSON.stringify(value));
}

/** What is said of an unsupported field; undefined for any other one. */
export function refusalOf(name: string, refusals: readonly FieldRefusal[]): FieldRefusal | undefined {
  return refusals.find(({ field }) => typeof field === "string" ? field === name : field.test(name));
}

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
