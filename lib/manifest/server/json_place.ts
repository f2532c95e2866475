/**
 * Where the cursor is in a JSON text that may be unfinished.
 *
 * @module
 */
import { stringStop, wordEnd } from "../json/json_tokens.ts";

/** A position, in the words of JSON. */
export interface JsonPlace {
  /** Whether a member's name or a value is at the position. */
  readonly role: "name" | "value";
  /** Names and indices that lead to the object that the name is in, or to the value. */
  readonly path: readonly string[];
  /** The token at the position, with its quotes; empty where there is none. */
  readonly start: number;
  readonly end: number;
  /** Names of the members of the object that the position is in, without the one at the position. */
  readonly names: readonly string[];
}

interface Container {
  readonly names: string[] | undefined;
  /** Name of the member, or the item's index. */
  key: string | number;
  role: "name" | "value";
}

/** Finds out what is at an offset: only brackets, commas, colons and strings before it are looked at. */
export function jsonPlace(text: string, offset: number): JsonPlace {
  const open: Container[] = [];
  let found: {
    role: "name" | "value";
    path: string[];
    start: number;
    end: number;
    inside: Container | undefined;
    depth: number;
  };
  const place = (start: number, end: number) => {
    if (found) return;
    const inside = open.at(-1);
    const role = inside?.role ?? "value";
    const keys = open.map(({ key }) => String(key));
    found = { role, path: role === "name" ? keys.slice(0, -1) : keys, start, end, inside, depth: open.length };
  };
  let at = 0;
  while (at < text.length) {
    if (at >= offset && text[at] !== '"') place(offset, offset);
    const inside = open.at(-1);
    // The names behind the position count too; what is behind its object does not.
    if (found! && (!found.inside || open[found.depth - 1] !== found.inside)) break;
    const character = text[at];
    if (character === '"') {
      const stop = stringStop(text, at);
      const end = text[stop] === '"' ? stop + 1 : stop;
      if (offset < at) place(offset, offset);
      else if (offset < end || (offset === end && end === stop)) {
        place(at, end);
        at = end;
        continue;
      }
      if (inside?.role === "name") {
        inside.key = nameOf(text.slice(at, end));
        inside.names?.push(inside.key);
      }
      at = Math.max(end, at + 1);
      continue;
    }
    if (character === "{") open.push({ names: [], key: "", role: "name" });
    else if (character === "[") open.push({ names: undefined, key: 0, role: "value" });
    else if (character === "}" || character === "]") open.pop();
    else if (character === ":" && inside) inside.role = "value";
    else if (character === "," && inside) {
      if (inside.names) inside.role = "name";
      else inside.key = Number(inside.key) + 1;
    } else {
      const end = wordEnd(text, at);
      if (end > at && offset <= end) place(at, end);
      at = Math.max(end, at + 1);
      continue;
    }
    at++;
  }
  place(Math.min(offset, text.length), Math.min(offset, text.length));
  const { role, path, start, end, inside } = found!;
  return { role, path, start, end, names: inside?.names ?? [] };
}

function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1);
  }
}
