/**
 * JSON text from elsewhere: bounds before it is parsed, and keys that are given twice.
 *
 * @module
 */

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
        i = jsonStringEnd(text, i);
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

/** The place of the quote that ends the string which begins with the quote at `start`; the length of a text without. */
function jsonStringEnd(text: string, start: number): number {
  for (let end = start;;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
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
      i = jsonStringEnd(text, start);
      const names = open.at(-1);
      if (names && isName(text, i + 1)) {
        const name = JSON.parse(text.slice(start, i + 1)) as string;
        if (names.has(name)) return name;
        names.add(name);
      }
    }
  }
  return undefined;
}

function isName(text: string, from: number): boolean {
  let i = from;
  while (text[i] === " " || text[i] === "\n" || text[i] === "\r" || text[i] === "\t") i++;
  return text[i] === ":";
}

/** Whether a value is an object, neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
