/**
 * Locates the values that pointers name in a JSON text.
 *
 * @module
 */
import { pointerKeys } from "./json_pointer.ts";
import { JsonSkipper } from "./json_skipper.ts";
import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT, skipSpace } from "./json_tokens.ts";

/** Offsets of a part of a text, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Location of a value and, for a member, of its quoted name. */
export interface Location {
  readonly value: Span;
  readonly name: Span | undefined;
}

/**
 * Locates values in one pass that skips everything else. Of duplicate members the last one is located, which is the one
 * that `JSON.parse` keeps.
 *
 * @param text JSON that `JSON.parse` has accepted; the result is meaningless for anything else.
 * @returns a location for each pointer
 */
export function locate(text: string, pointers: readonly string[]): Location[] {
  const root = new Place();
  const places = pointers.map((pointer) => {
    let place = root;
    for (const key of pointerKeys(pointer)) place = place.part(key);
    return place;
  });
  walk(text, root);
  return places;
}

/** A requested value, or a container of requested values. */
class Place implements Location {
  value: Span = NOWHERE;
  name: Span | undefined = undefined;
  /** Requested parts, by name or index; undefined for most. */
  parts: Map<string, Place> | undefined = undefined;

  part(key: string): Place {
    this.parts ??= new Map();
    let part = this.parts.get(key);
    if (part === undefined) this.parts.set(key, part = new Place());
    return part;
  }
}

const NOWHERE: Span = { start: 0, end: 0 };

/** A container with requested parts. */
interface Open {
  readonly place: Place;
  readonly parts: ReadonlyMap<string, Place>;
  readonly start: number;
  readonly isObject: boolean;
  /** Index of the next item. */
  index: number;
}

function walk(text: string, root: Place): void {
  const skipper = new JsonSkipper(text);
  const open: Open[] = [];
  let at = 0;
  let place: Place | undefined = root;
  for (;;) {
    at = skipSpace(text, at);
    const c = text.charCodeAt(at);
    if (place?.parts !== undefined && (c === OPEN_OBJECT || c === OPEN_ARRAY)) {
      open.push({ place, parts: place.parts, start: at, isObject: c === OPEN_OBJECT, index: 0 });
      at++;
    } else {
      const end = skipper.valueEnd(at);
      if (place !== undefined) place.value = { start: at, end };
      at = end;
    }
    // Continues with the next item or member, leaving finished containers.
    for (;;) {
      const top = open[open.length - 1];
      if (top === undefined) return;
      at = skipSpace(text, at);
      if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
      if (text.charCodeAt(at) === (top.isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        at++;
        top.place.value = { start: top.start, end: at };
        open.pop();
        continue;
      }
      if (!top.isObject) place = top.parts.get(String(top.index++));
      else {
        const end = skipper.stringEnd(at);
        const raw = text.slice(at + 1, end - 1);
        place = top.parts.get(raw.includes("\\") ? JSON.parse(`"${raw}"`) : raw);
        if (place !== undefined) place.name = { start: at, end };
        at = skipSpace(text, end) + 1;
      }
      break;
    }
  }
}
