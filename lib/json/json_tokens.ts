/**
 * The tokens of JSON (RFC 8259): where each one ends.
 *
 * @module
 */

/** Offsets of a part of a text in UTF-16 code units, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** Position of the next non-whitespace character. */
export function skipSpace(text: string, at: number): number {
  for (let c = text.charCodeAt(at); c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;) c = text.charCodeAt(++at);
  return at;
}

/** The end of the string of valid JSON that begins here; the end of a text that ends within it. */
export function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text.charCodeAt(at - 1) !== BACKSLASH) return at + 1;
    let escapes = at - 1;
    while (text.charCodeAt(escapes) === BACKSLASH) escapes--;
    if ((at - escapes) % 2 === 1) return at + 1;
  }
  return text.length;
}

/** The text of the valid string from `start` to `end`, its quotes included. */
export function stringText(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  return raw.includes("\\") ? JSON.parse(`"${raw}"`) : raw;
}

/** The first character that cannot continue the string: its closing quote, if it is valid. */
export function stringStop(text: string, start: number): number {
  return partsEnd(STRING_PART, text, start + 1);
}

// deno-lint-ignore no-control-regex -- those that have to be escaped
const STRING_PART = /[^"\\\u0000-\u001f]+|\\["\\/bfnrt]|\\u[\da-fA-F]{4}/y;

/** The first character that cannot continue a string that is being written: its closing quote, or the end of its line. */
export function lineStringStop(text: string, start: number): number {
  return partsEnd(LINE_PART, text, start + 1);
}

const LINE_PART = /[^"\\\r\n]+|\\[^\r\n]/y;

/** In steps: a group repeated a million times would overflow the engine's stack. */
function partsEnd(part: RegExp, text: string, start: number): number {
  let at = start;
  for (let end = at; end > 0; end = matchEnd(part, text, at)) at = end;
  return at;
}

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
