/**
 * Schemas that answers cannot be kept to.
 *
 * @module
 */
import { show } from "../../errors/show.ts";
import { invalidField, unsupportedParameter } from "../../errors/make_error.ts";
import type { SvcError } from "../../errors/svc_error.ts";

/** The keyword that cannot be kept to, with the way to do without. */
export function unsupportedKeyword(path: string, value: unknown, expected: string): SvcError {
  return unsupportedParameter(`Cannot complete the chat: "${path}" is ${show(value)}, ${expected}`, path);
}

/** What is wrong about a keyword's value. */
export function wrongKeyword(path: string, value: unknown, expected: string): SvcError {
  return invalidField(path, `Cannot complete the chat: "${path}" is ${show(value)}, expected ${expected}`);
}

/** What is wrong about a schema as a whole. */
export function wrongSchema(path: string, why: string): SvcError {
  return invalidField(path, `Cannot complete the chat: "${path}" cannot be kept to, ${why}`);
}
