/**
 * The tokens of JSON (RFC 8259): where each one ends.
 *
 * @module
 */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** The next character that is no white space. */
export function skipSpace(text: string, at: number): number {
  for (let c = text.charCodeAt(at); c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;) c = text.charCodeAt(++at);
  return at;
}

/** Whether a character is one of 0 to 9. */
export function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

/** Behind the string that begins here, -1 when it is wrong. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) return at + 1;
    if (c < 0x20) return -1;
    if (c !== BACKSLASH) continue;
    const length = escapeLength(text, at);
    if (length === 0) return -1;
    at += length - 1;
  }
  return -1;
}

/** Length of an escape sequence, 0 when it is none. */
export function escapeLength(text: string, at: number): number {
  const letter = text.charAt(at + 1);
  if (letter !== "" && '"\\/bfnrt'.includes(letter)) return 2;
  return letter === "u" && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 0;
}

/** Behind the number that begins here, -1 when it is wrong. */
export function numberEnd(text: string, start: number): number {
  let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
  const first = text.charCodeAt(at);
  if (!isDigit(first)) return -1;
  const integer = at;
  at = skipDigits(text, at);
  if (first === 0x30 && at > integer + 1) return -1;
  if (text.charCodeAt(at) === 0x2e) {
    const fraction = at + 1;
    at = skipDigits(text, fraction);
    if (at === fraction) return -1;
  }
  if ((text.charCodeAt(at) | 0x20) === 0x65) {
    const sign = text.charCodeAt(at + 1);
    const exponent = sign === 0x2b || sign === MINUS ? at + 2 : at + 1;
    at = skipDigits(text, exponent);
    if (at === exponent) return -1;
  }
  return at;
}

function skipDigits(text: string, at: number): number {
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** Behind true, false or null, -1 when it is something else. */
export function wordEnd(text: string, start: number): number {
  for (const word of ["true", "false", "null"]) if (text.startsWith(word, start)) return start + word.length;
  return -1;
}
