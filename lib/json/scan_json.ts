/**
 * Scans a JSON text without creating values, and says where and why one is not JSON.
 *
 * @module
 */
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  isScalar,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
  stringStop,
  wordEnd,
} from "./json_tokens.ts";
import { quote } from "./json_text.ts";

/** Callbacks in the order of the text; offsets are in UTF-16 code units, `end` exclusive. */
export interface JsonVisitor {
  /** The name of a member, with its quotes. */
  name(start: number, end: number): void;
  /** A string with its quotes, a number, true, false or null. */
  scalar(start: number, end: number): void;
  /** An object or array begins. */
  open(start: number, isObject: boolean): void;
  /** The innermost open container ends. */
  close(end: number): void;
}

/**
 * Maximum nesting depth. Far deeper than any stack allows, and low enough for the memory that `JSON.parse` takes per
 * level.
 */
export const MAX_DEPTH: number = 1 << 20;

/**
 * Walks through a whole text (RFC 8259, strictly) in linear time and without recursion.
 *
 * @returns the first problem; undefined when the text is JSON
 */
export function scanJson(text: string, visitor?: JsonVisitor): JsonProblem | undefined {
  /** Whether each open container is an object. */
  const open: boolean[] = [];
  let at = 0;
  let expected: Expected = VALUE;
  for (;;) {
    at = skipSpace(text, at);
    const c = text.charCodeAt(at);
    const isObject = open[open.length - 1];
    if ((c === CLOSE_OBJECT || c === CLOSE_ARRAY) && mayClose(c, expected, isObject)) {
      at++;
      visitor?.close(at);
      open.pop();
    } else if (expected === VALUE || expected === ITEM) {
      if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
        if (open.length === MAX_DEPTH) {
          return problem(at, at + 1, `nesting of ${MAX_DEPTH + 1} arrays or objects`, "fewer levels");
        }
        open.push(c === OPEN_OBJECT);
        visitor?.open(at, c === OPEN_OBJECT);
        expected = c === OPEN_OBJECT ? FIRST_NAME : ITEM;
        at++;
        continue;
      }
      const isString = c === QUOTE;
      const end = isString ? stringStop(text, at) + 1 : wordEnd(text, at);
      if (isString && text.charCodeAt(end - 1) !== QUOTE) return stringProblem(text, at, end - 1);
      if (!isString && !isScalar(text.slice(at, end))) return valueProblem(text, at);
      visitor?.scalar(at, end);
      at = end;
    } else if (expected === SEPARATOR) {
      if (c !== COMMA) return unexpected(text, at, isObject ? "a comma or }" : "a comma or ]");
      expected = isObject ? NAME : VALUE;
      at++;
      continue;
    } else {
      if (c === CLOSE_OBJECT) return problem(at, at + 1, "a } after a comma", "another member or no comma");
      if (c !== QUOTE) return unexpected(text, at, "a name in double quotes");
      const stop = stringStop(text, at);
      if (text.charCodeAt(stop) !== QUOTE) return stringProblem(text, at, stop);
      visitor?.name(at, stop + 1);
      at = skipSpace(text, stop + 1);
      if (text.charCodeAt(at) !== COLON) return unexpected(text, at, "a colon after the name");
      expected = VALUE;
      at++;
      continue;
    }
    // A value has ended.
    if (open.length === 0) {
      at = skipSpace(text, at);
      return at === text.length ? undefined : unexpected(text, at, "nothing after the value");
    }
    expected = SEPARATOR;
  }
}

/**
 * What may come next: a value; a value or the end of an array; a name or the end of an object; a name; a comma or an
 * end.
 */
type Expected = 0 | 1 | 2 | 3 | 4;
const [VALUE, ITEM, FIRST_NAME, NAME, SEPARATOR] = [0, 1, 2, 3, 4] as const;

function mayClose(bracket: number, expected: Expected, isObject: boolean): boolean {
  if (bracket === CLOSE_OBJECT) return expected === FIRST_NAME || expected === SEPARATOR && isObject;
  return expected === ITEM || expected === SEPARATOR && !isObject;
}

/** Where and why a text is not JSON. */
export interface JsonProblem {
  readonly start: number;
  readonly end: number;
  /** What was found and what was expected. */
  readonly message: string;
}

/** Why no value begins here. */
function valueProblem(text: string, at: number): JsonProblem {
  const c = text.charAt(at);
  if (at === text.length && text.trim() === "") return problem(at, at, "the end of an empty text", "a JSON object");
  if (c === "]" || c === "}") {
    const isBehindComma = /,\s*$/.test(text.slice(Math.max(0, at - 400), at));
    return problem(at, at + 1, isBehindComma ? `a ${c} after a comma` : `a ${c}`, "a value");
  }
  const end = wordEnd(text, at);
  const word = text.slice(at, Math.min(end, at + 40));
  if (/^[-+.]*\d/.test(word)) return problem(at, end, word, "a JSON number");
  return word === "" ? unexpected(text, at, "a value") : problem(at, end, quote(word), "a value");
}

/** Why the string that begins at `start` cannot continue at `at`. */
function stringProblem(text: string, start: number, at: number): JsonProblem {
  const c = text.charAt(at);
  if (c === "\n" || c === "\r") {
    return problem(start, at, "a string that does not end on its line", "a double quote");
  }
  if (c === "" || at + 1 === text.length) {
    return problem(start, text.length, "an unterminated string", "a double quote");
  }
  if (c !== "\\") return problem(at, at + 1, `the control character ${quote(c)}`, "its escape sequence");
  const sequence = text.slice(at, at + 2);
  return problem(at, at + 2, `the escape sequence ${sequence}`, 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000');
}

/** Something unexpected. */
function unexpected(text: string, at: number, expected: string): JsonProblem {
  if (at >= text.length) return problem(at, at, "the end of the text", expected);
  const c = text.charAt(at);
  if (c === "'") return problem(at, at + 1, "a single quote", `${expected}; strings need double quotes`);
  if (c === "/" || c === "#") return problem(at, at + 1, `a ${c}`, `${expected}; JSON has no comments`);
  const [found] = /^([\w$]{1,40}|.)/su.exec(text.slice(at, at + 40)) as RegExpExecArray;
  return problem(at, at + found.length, quote(found), expected);
}

/** A problem with a part of the text. */
function problem(start: number, end: number, found: string, expected: string): JsonProblem {
  return { start, end, message: `the text is not JSON: found ${found}, expected ${expected}` };
}
