/**
 * Describes why a text is not JSON.
 *
 * @module
 */
import { wordEnd } from "./json_tokens.ts";
import { quote } from "../words.ts";

/** Where and why a text is not JSON. */
export interface JsonProblem {
  readonly start: number;
  readonly end: number;
  /** What was found and what was expected. */
  readonly message: string;
}

/** Why no value begins here. */
export function valueProblem(text: string, at: number): JsonProblem {
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
export function stringProblem(text: string, start: number, at: number): JsonProblem {
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
export function unexpected(text: string, at: number, expected: string): JsonProblem {
  if (at >= text.length) return problem(at, at, "the end of the text", expected);
  const c = text.charAt(at);
  if (c === "'") return problem(at, at + 1, "a single quote", `${expected}; strings need double quotes`);
  if (c === "/" || c === "#") return problem(at, at + 1, `a ${c}`, `${expected}; JSON has no comments`);
  const [found] = /^([\w$]{1,40}|.)/su.exec(text.slice(at, at + 40)) as RegExpExecArray;
  return problem(at, at + found.length, quote(found), expected);
}

/** A problem with a part of the text. */
export function problem(start: number, end: number, found: string, expected: string): JsonProblem {
  return { start, end, message: `the text is not JSON: found ${found}, expected ${expected}` };
}
