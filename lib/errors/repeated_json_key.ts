/**
 * Finds a key that a JSON object has twice, which `JSON.parse` would hide.
 *
 * @module
 */
import { jsonStringEnd } from "./json_string_end.ts";

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
