/**
 * Where an editor's cursor is in a JSON text that may be unfinished.
 *
 * @module
 */
import { lineStringStop, wordEnd } from "./json_tokens.ts";

/** A position, in the words of JSON. */
export interface JsonCursor {
  /** Whether a member's name or a value belongs at the position. */
  readonly role: "name" | "value";
  /** Whether one is there already, before the position: only a colon, a comma or a closing bracket can follow. */
  readonly isTaken: boolean;
  /** Names and indices that lead to the object that the name is in, or to the value. */
  readonly path: readonly (string | number)[];
  /** The token at the position, with its quotes; empty where there is none. */
  readonly start: number;
  readonly end: number;
  /** Where the token ends if it is still being written: a string without its closing quote reaches to the next one's. */
  readonly writtenEnd: number;
  /** Names of the members of the object that the position is in, without the one at the position. */
  readonly names: readonly string[];
}

/** The object or array that is being read; the document itself has neither names nor items. */
interface Container {
  readonly kind: "object" | "array" | "document";
  readonly names: string[];
  /** Name of the member, or the item's index. */
  key: string | number;
  role: "name" | "value";
  isTaken: boolean;
}

/** The rest of a name or value after the cursor, when its closing quote is its own. */
const REST = /^[\w./-]*"?$/;

/** Finds out what is at an offset. Mistakes before it do not matter, nor does what follows its object. */
export function jsonCursor(text: string, offset: number): JsonCursor {
  const open: Container[] = [containerOf("document")];
  let found: JsonCursor | undefined;
  let around: Container | undefined;
  let depth = 0;
  const place = (start: number, end: number): JsonCursor => {
    const inside = open[open.length - 1];
    const keys = open.slice(1).map(({ key }) => key);
    const { role, isTaken, names } = inside;
    const writtenEnd = REST.test(text.slice(offset, end)) ? end : offset;
    [around, depth] = [inside, open.length];
    return { role, isTaken, path: role === "name" ? keys.slice(0, -1) : keys, start, end, writtenEnd, names };
  };
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (at > offset || at === offset && character !== '"') found ??= place(offset, offset);
    const inside = open[open.length - 1];
    // The names after the cursor count too; what is after its object does not.
    if (around && (around.kind !== "object" || open[depth - 1] !== around)) break;
    if (character === "{" || character === "[") open.push(containerOf(character === "{" ? "object" : "array"));
    else if (character === "}" || character === "]") {
      if (open.length > 1) {
        open.pop();
        open[open.length - 1].isTaken = true;
      }
    } else if (character === ":") {
      if (inside.kind === "object") [inside.role, inside.isTaken] = ["value", false];
    } else if (character === ",") {
      if (inside.kind === "object") inside.role = "name";
      if (inside.kind === "array") inside.key = Number(inside.key) + 1;
      if (inside.kind !== "document") inside.isTaken = false;
    } else {
      const stop = character === '"' ? lineStringStop(text, at) : wordEnd(text, at);
      const isClosed = character === '"' && text[stop] === '"';
      const end = isClosed ? stop + 1 : stop;
      if (end === at) at++;
      else if (!found && (offset < end || offset === end && !isClosed)) at = (found = place(at, end)).writtenEnd;
      else {
        if (inside.role === "name") inside.names.push(String(inside.key = nameOf(text.slice(at, end))));
        inside.isTaken = true;
        at = end;
      }
      continue;
    }
    at++;
  }
  return found ?? place(Math.min(offset, text.length), Math.min(offset, text.length));
}

function containerOf(kind: Container["kind"]): Container {
  const role = kind === "object" ? "name" : "value";
  return { kind, names: [], key: kind === "array" ? 0 : "", role, isTaken: false };
}

function nameOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token.replace(/^"|"$/g, "");
  }
}
