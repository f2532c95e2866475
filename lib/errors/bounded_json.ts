/**
 * JSON of files that come from elsewhere.
 *
 * @module
 */
import { jsonExtent } from "./json_extent.ts";

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
