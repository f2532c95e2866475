/**
 * Errors about schemas.
 *
 * @module
 */
import { show } from "../../../errors/show.ts";
import { invalidField, type SvcError, unsupportedParameter } from "../../../errors/svc_error.ts";

/** An unsupported keyword, with a remedy. */
export function unsupportedKeyword(path: string, value: unknown, expected: string): SvcError {
  return unsupportedParameter(`Cannot complete the chat: "${path}" is ${show(value)}, ${expected}`, path);
}

/** A keyword that is not supported beside another one. */
export function misplacedKeyword(path: string, beside: string): SvcError {
  const message = `Cannot complete the chat: "${path}" cannot be enforced, expected no such rule beside ${beside}`;
  return unsupportedParameter(message, path);
}

/** An invalid keyword value. */
export function wrongKeyword(path: string, value: unknown, expected: string): SvcError {
  return invalidField(path, `Cannot complete the chat: "${path}" is ${show(value)}, expected ${expected}`);
}

/** An invalid schema as a whole. */
export function wrongSchema(path: string, why: string): SvcError {
  return invalidField(path, `Cannot complete the chat: "${path}" cannot be enforced, ${why}`);
}
