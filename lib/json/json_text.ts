/**
 * JSON text from elsewhere: bounds before it is parsed, keys that are given twice, and where a value ends.
 *
 * @module
 */
import { COLON, skipSpace, stringEnd, stringText } from "./json_tokens.ts";

/** Far more than any model's tokenizer or index of weights has. */
const MOST = { values: 10_000_000, depth: 512 } as const;

/**
 * Parses a JSON text after counting its values and levels: a parser takes seconds for a text of many levels, and many
 * times the memory of the text for one of many values.
 *
 * @throws {SyntaxError} when it is not JSON, or is too large.
 */
export function parseBoundedJson(text: string): unknown {
  const { values, depth } = jsonExtent(text, MOST);
  if (depth > MOST.depth) throw new SyntaxError(`it has more than ${MOST.depth} levels, expected fewer`);
  if (values > MOST.values) throw new SyntaxError(`it has more than ${MOST.values} values, expected fewer`);
  return JSON.parse(text);
}

/** What reading a JSON text would make. */
interface JsonExtent {
  /** Values: objects, arrays, strings, numbers, literals; the names of members do not count. */
  readonly values: number;
  /** Objects and arrays within one another. */
  readonly depth: number;
}

/**
 * Counts the values and levels of a JSON text without making them: a text of 10 MiB can stand for millions of values,
 * each of which costs many times its few bytes. Invalid JSON gives arbitrary numbers, never an error.
 *
 * @param limit Counting stops when there are more values or levels than that.
 */
export function jsonExtent(text: string, limit: JsonExtent): JsonExtent {
  let values = 1;
  let deepest = 0;
  let depth = 0;
  for (let i = 0; i < text.length && values <= limit.values && deepest <= limit.depth; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22:
        i = stringEnd(text, i) - 1;
        break;
      case 0x2c: // every comma is followed by another value
        values++;
        break;
      case 0x5b:
      case 0x7b: // the first value inside; an empty one counts as one too many, which does no harm
        values++;
        depth++;
        if (depth > deepest) deepest = depth;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
    }
  }
  return { values, depth: deepest };
}

/**
 * The first key that occurs twice in the same object of a valid JSON text, else undefined.
 *
 * @param text JSON that `JSON.parse` has accepted; the result is meaningless for anything else.
 */
export function repeatedJsonKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []; // the keys of each open object; undefined for an array
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "{") open.push(new Set());
    else if (c === "[") open.push(undefined);
    else if (c === "}" || c === "]") open.pop();
    else if (c === '"') {
      const start = i;
      i = stringEnd(text, start) - 1;
      const names = open.at(-1);
      if (names && text.charCodeAt(skipSpace(text, i + 1)) === COLON) {
        const name = stringText(text, start, i + 1);
        if (names.has(name)) return name;
        names.add(name);
      }
    }
  }
  return undefined;
}

/** Where the object or array at a position ends; undefined when there is none, or it is incomplete. */
export function jsonEnd(text: string, start: number): number | undefined {
  if (text[start] !== "{" && text[start] !== "[") return undefined;
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (c === '"') i = stringEnd(text, i) - 1;
    else if (c === "{" || c === "[") depth++;
    else if ((c === "}" || c === "]") && --depth === 0) return i + 1;
  }
  return undefined;
}

/** Whether a value is an object, neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A string as JSON, shortened. */
export function quote(text: string): string {
  return text.length > QUOTED ? `${JSON.stringify(text.slice(0, QUOTED))}...` : JSON.stringify(text);
}

const QUOTED = 60;
