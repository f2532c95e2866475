/**
 * Schemas that answers cannot be kept to.
 *
 * @module
 */
import { show } from "../../errors/show.ts";
import { invalidChat, type TextError, unsupportedParameter } from "../../api/protocol/mod.ts";

/** The keyword that cannot be kept to, with the way to do without. */
export function unsupportedKeyword(path: string, value: unknown, expected: string): TextError {
  return unsupportedParameter(`Cannot complete the chat: "${path}" is ${show(value)}, ${expected}`, path);
}

/** What is wrong about a keyword's value. */
export function wrongKeyword(path: string, value: unknown, expected: string): TextError {
  return invalidChat(codeOf(path), `Cannot complete the chat: "${path}" is ${show(value)}, expected ${expected}`, path);
}

/** What is wrong about a schema as a whole. */
export function wrongSchema(path: string, why: string): TextError {
  return invalidChat(codeOf(path), `Cannot complete the chat: "${path}" cannot be kept to, ${why}`, path);
}

function codeOf(path: string): string {
  return `invalid_${/^\w+/.exec(path)?.[0] ?? "schema"}`;
}
