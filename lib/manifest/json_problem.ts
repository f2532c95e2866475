/**
 * Why a text is not JSON, in words.
 *
 * @module
 */
import { BACKSLASH, escapeLength, skipSpace } from "./json_tokens.ts";
import { quote } from "./words.ts";

/** Where and why a text is not JSON. */
export interface JsonProblem {
  readonly start: number;
  readonly end: number;
  /** What is there and what was expected. */
  readonly message: string;
}

/** Why no value begins here. */
export function valueProblem(text: string, at: number): JsonProblem {
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

/** Why the string that begins here is wrong. */
export function stringProblem(text: string, start: number): JsonProblem {
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

/** What stands behind the outermost value; undefined when nothing does. */
export function endProblem(text: string, from: number): JsonProblem | undefined {
  const at = skipSpace(text, from);
  return at === text.length ? undefined : unexpected(text, at, "nothing behind the value");
}

/** Something else is here than what was expected. */
export function unexpected(text: string, at: number, expected: string): JsonProblem {
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

/** A problem with a part of the text. */
export function problem(start: number, end: number, found: string, expected: string): JsonProblem {
  return { start, end, message: `the text is not JSON: found ${found}, expected ${expected}` };
}
