/**
 * The sentence of a violated rule of a request.
 *
 * @module
 */
import type { BaseIssue } from "valibot";
import { show } from "./show.ts";

/** A violation in the words of an error object. */
export interface RequestIssue {
  readonly kind: "missing" | "type" | "rule";
  readonly message: string;
  /** Path of the field, such as `messages[0].content`. */
  readonly param: string;
}

/**
 * Describes an issue of valibot whose message is `expected …`.
 *
 * @param action The words after "Cannot", such as `start a rollout`.
 * @param body What was checked.
 */
export function describeIssue(action: string, body: unknown, issue: BaseIssue<unknown>): RequestIssue {
  const keys = (issue.path ?? []).map((item) => item.key as string | number);
  const param = keys.map((key, i) => typeof key === "number" ? `[${key}]` : i ? `.${key}` : key).join("");
  if (issue.kind === "schema" && issue.received === "undefined") {
    return { kind: "missing", message: `Cannot ${action}: "${param}" is missing`, param };
  }
  // A rule over several fields has all of them as its input: the value is that of the field it is told of.
  const value = keys.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], body);
  const message = `Cannot ${action}: "${param}" is ${show(value)}, ${issue.message}`;
  if (issue.kind === "schema") return { kind: "type", message, param };
  return { kind: "rule", message, param };
}
