/**
 * How large a JSON text is as a value.
 *
 * @module
 */
import { jsonStringEnd } from "./json_string_end.ts";

/** What reading a JSON text would make. */
export interface JsonExtent {
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
