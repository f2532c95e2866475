/**
 * Walks through a JSON text without making values of it.
 *
 * @module
 */
import { quote } from "./words.ts";

/** Is told what stands where, in the order of the text; offsets are in UTF-16 code units, `end` behind the last one. */
export interface JsonVisitor {
  /** The name of a member, with its quotes. */
  name(start: number, end: number): void;
  /** A string with its quotes, a number, true, false or null. */
  scalar(start: number, end: number): void;
  /** An object or array begins. */
  open(start: number, isObject: boolean): void;
  /** The last one that has begun ends. */
  close(end: number): void;
}

/** Where and why a text is not JSON. */
export interface JsonProblem {
  readonly start: number;
  readonly end: number;
  /** What is there and what was expected. */
  readonly message: string;
}

/**
 * How deep a text may be nested. Twenty times deeper than any stack allows, and low enough for the memory that
 * `JSON.parse` takes for each level.
 */
export const MAX_DEPTH: number = 1 << 20;

/**
 * Walks through a whole text (RFC 8259, strictly) in linear time and without recursion.
 *
 * @returns the first problem; undefined when the text is JSON
 */
export function scanJson(text: string, visitor?: JsonVisitor): JsonProblem | undefined {
  const objects: boolean[] = [];
  let at = 0;
  let expected: Expected = VALUE;
  for (;;) {
    at = skipSpace(text, at);
    const c = text.charCodeAt(at);
    if (expected === VALUE || expected === ITEM) {
      let end: number;
      if (c === QUOTE) end = stringEnd(text, at);
      else if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
        if (objects.length === MAX_DEPTH) {
          return problem(at, at + 1, `the ${MAX_DEPTH + 1}th array or object in each other`, "fewer levels");
        }
        objects.push(c === OPEN_OBJECT);
        visitor?.open(at, c === OPEN_OBJECT);
        expected = c === OPEN_OBJECT ? FIRST_NAME : ITEM;
        at++;
        continue;
      } else if (c === CLOSE_ARRAY && expected === ITEM) {
        at++;
        visitor?.close(at);
        objects.pop();
        if (objects.length === 0) return endProblem(text, at);
        expected = SEPARATOR;
        continue;
      } else end = c === MINUS || isDigit(c) ? numberEnd(text, at) : wordEnd(text, at);
      if (end < 0) return valueProblem(text, at);
      visitor?.scalar(at, end);
      at = end;
      if (objects.length === 0) return endProblem(text, at);
      expected = SEPARATOR;
    } else if (expected === SEPARATOR) {
      const isObject = objects[objects.length - 1];
      if (c === COMMA) {
        expected = isObject ? NAME : VALUE;
        at++;
      } else if (c === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        at++;
        visitor?.close(at);
        objects.pop();
        if (objects.length === 0) return endProblem(text, at);
      } else return unexpected(text, at, isObject ? "a comma or }" : "a comma or ]");
    } else if (c === QUOTE) {
      const end = stringEnd(text, at);
      if (end < 0) return stringProblem(text, at);
      visitor?.name(at, end);
      at = skipSpace(text, end);
      if (text.charCodeAt(at) !== COLON) return unexpected(text, at, "a colon behind the name");
      at++;
      expected = VALUE;
    } else if (c === CLOSE_OBJECT && expected === FIRST_NAME) {
      at++;
      visitor?.close(at);
      objects.pop();
      if (objects.length === 0) return endProblem(text, at);
      expected = SEPARATOR;
    } else if (c === CLOSE_OBJECT) return problem(at, at + 1, "a } behind a comma", "another member or no comma");
    else return unexpected(text, at, "a name in double quotes");
  }
}

/** What may come next: a value; a value or the end of an array; a name or the end of an object; a name; a comma or end. */
type Expected = 0 | 1 | 2 | 3 | 4;
const [VALUE, ITEM, FIRST_NAME, NAME, SEPARATOR] = [0, 1, 2, 3, 4] as const;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function skipSpace(text: string, at: number): number {
  for (let c = text.charCodeAt(at); c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;) c = text.charCodeAt(++at);
  return at;
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

/** Behind the string that begins here, -1 when it is wrong. */
function stringEnd(text: string, start: number): number {
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
function escapeLength(text: string, at: number): number {
  const letter = text.charAt(at + 1);
  if (letter !== "" && '"\\/bfnrt'.includes(letter)) return 2;
  return letter === "u" && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 0;
}

/** Behind the number that begins here, -1 when it is wrong. */
function numberEnd(text: string, start: number): number {
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

function wordEnd(text: string, start: number): number {
  for (const word of ["true", "false", "null"]) if (text.startsWith(word, start)) return start + word.length;
  return -1;
}

function valueProblem(text: string, at: number): JsonProblem {
  const c = text.charAt(at);
  if (c === '"') return stringProblem(text, at);
  const [token] = /^[-+.\w$]*/.exec(text.slice(at, at + 400)) as RegExpExecArray;
  if (/^[-+.]?[.\d]/.test(token)) {
    return problem(at, at + token.length, token.slice(0, 40), "a number as JSON has them");
  }
  if (at === 0 && c === "\ufeff") return problem(0, 1, "a byte order mark", "the text without it");
  if (text.length === at && text.trim() === "") return problem(at, at, "the end of an empty text", "a JSON object");
  if (c === "]" || c === "}") {
    const behindComma = /,\s*$/.test(text.slice(Math.max(0, at - 400), at));
    return problem(at, at + 1, behindComma ? `a ${c} behind a comma` : `a ${c}`, "a value");
  }
  if (token !== "") return problem(at, at + token.length, quote(token.slice(0, 40)), "a value");
  return unexpected(text, at, "a value");
}

function stringProblem(text: string, start: number): JsonProblem {
  for (let at = start + 1; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x0a || c === 0x0d) return problem(start, at, "a string without an end on its line", "a double quote");
    if (c < 0x20) return problem(at, at + 1, `the control character ${quote(text.charAt(at))}`, "its escape sequence");
    if (c !== BACKSLASH) continue;
    const length = escapeLength(text, at);
    if (length === 0 && at + 1 < text.length) {
      return problem(
        at,
        at + 2,
        `the escape sequence ${text.slice(at, at + 2)}`,
        'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000',
      );
    }
    at += Math.max(length - 1, 0);
  }
  return problem(start, text.length, "a string without an end", "a double quote");
}

function endProblem(text: string, from: number): JsonProblem | undefined {
  const at = skipSpace(text, from);
  return at === text.length ? undefined : unexpected(text, at, "nothing behind the value");
}

function unexpected(text: string, at: number, expected: string): JsonProblem {
  if (at >= text.length) return problem(at, at, "the end of the text", expected);
  const c = text.charAt(at);
  if (c === "'") return problem(at, at + 1, "a single quote", `${expected}; strings stand in double quotes`);
  if (c === "/" || c === "#") return problem(at, at + 1, `a ${c}`, `${expected}; JSON has no comments`);
  const [word] = /^[\w$]*/.exec(text.slice(at, at + 40)) as RegExpExecArray;
  return problem(
    at,
    at + Math.max(1, word.length),
    quote(word || String.fromCodePoint(text.codePointAt(at)!)),
    expected,
  );
}

function problem(start: number, end: number, found: string, expected: string): JsonProblem {
  return { start, end, message: `the text is not JSON: found ${found}, expected ${expected}` };
}
