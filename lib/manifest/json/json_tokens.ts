/**
 * The tokens of JSON (RFC 8259): where each one ends.
 *
 * @module
 */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** Position of the next non-whitespace character. */
export function skipSpace(text: string, at: number): number {
  for (let c = text.charCodeAt(at); c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;) c = text.charCodeAt(++at);
  return at;
}

/** The first character that cannot continue the string: its closing quote, if it is valid. */
export function stringStop(text: string, start: number): number {
  let at = start + 1;
  // In steps: a group repeated a million times would overflow the engine's stack.
  for (let end = at; end > 0; end = matchEnd(STRING_PART, text, at)) at = end;
  return at;
}

// deno-lint-ignore no-control-regex -- those that have to be escaped
const STRING_PART = /[^"\\\u0000-\u001f]+|\\["\\/bfnrt]|\\u[\da-fA-F]{4}/y;

/** The end of the letters, digits and signs that begin here: a number, a literal or an attempt at one. */
export function wordEnd(text: string, start: number): number {
  return matchEnd(WORD, text, start);
}

const WORD = /[-+.\w$]*/y;

/** Whether a word is a number, true, false or null. */
export function isScalar(word: string): boolean {
  return /^(-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?|true|false|null)$/.test(word);
}

/** The end of the match here; 0 for none. */
function matchEnd(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  expression.test(text);
  return expression.lastIndex;
}
