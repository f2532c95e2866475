/**
 * Finds where in a JSON text the values stand that pointers name.
 *
 * @module
 */
import { pointerKeys } from "./json_pointer.ts";
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
  wordEnd,
} from "./json_tokens.ts";

/** Offsets of a part of a text, `end` behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a value stands and, of a member, its name with its quotes. */
export interface Location {
  readonly value: Span;
  readonly name: Span | undefined;
}

/**
 * Locates values in one pass that jumps over all that is not on the way to them. Of members that are given twice the
 * last one is located, which is the one that `JSON.parse` keeps.
 *
 * @param text JSON that `JSON.parse` has accepted; anything else gives a meaningless answer.
 */
export function locate(text: string, pointers: Iterable<string>): ReadonlyMap<string, Location> {
  const root = new Place();
  const places = new Map<string, Place>();
  for (const pointer of pointers) {
    let place = root;
    for (const key of pointerKeys(pointer)) place = place.child(key);
    places.set(pointer, place);
  }
  walk(text, root);
  return places;
}

/** A value that is looked for, or that has such values in it. */
class Place implements Location {
  /** Those in it, by name or index; most have none. */
  children: Map<string, Place> | undefined = undefined;
  value: Span = NOWHERE;
  name: Span | undefined = undefined;

  child(key: string): Place {
    this.children ??= new Map();
    let child = this.children.get(key);
    if (child === undefined) this.children.set(key, child = new Place());
    return child;
  }
}

const NOWHERE: Span = { start: 0, end: 0 };

/** A container with places in it. */
interface Open {
  readonly place: Place;
  readonly parts: ReadonlyMap<string, Place>;
  readonly start: number;
  readonly isObject: boolean;
  /** Index of the next item. */
  index: number;
}

function walk(text: string, root: Place): void {
  const open: Open[] = [];
  let at = 0;
  let place: Place | undefined = root;
  for (;;) {
    at = skipSpace(text, at);
    const c = text.charCodeAt(at);
    if (place?.children !== undefined && (c === OPEN_OBJECT || c === OPEN_ARRAY)) {
      open.push({ place, parts: place.children, start: at, isObject: c === OPEN_OBJECT, index: 0 });
      at++;
    } else {
      const end = valueEnd(text, at);
      if (place !== undefined) place.value = { start: at, end };
      at = end;
    }
    // On to the next item or member, out of what ends here.
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
        const end = stringEnd(text, at);
        const raw = text.slice(at + 1, end - 1);
        place = top.parts.get(raw.includes("\\") ? JSON.parse(`"${raw}"`) : raw);
        if (place !== undefined) place.name = { start: at, end };
        at = skipSpace(text, end) + 1;
      }
      break;
    }
  }
}

function valueEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    let c = text.charCodeAt(at);
    while (c <= SPACE) c = text.charCodeAt(++at);
    if (c === QUOTE) at = stringEnd(text, at);
    else {
      if (c === OPEN_OBJECT || c === OPEN_ARRAY) depth++;
      else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) depth--;
      else if (depth === 0) return wordEnd(text, at);
      at++;
    }
  } while (depth > 0);
  return at;
}

function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1);; at = text.indexOf('"', at + 1)) {
    if (text.charCodeAt(at - 1) !== BACKSLASH) return at + 1;
    let escapes = at - 1;
    while (text.charCodeAt(escapes) === BACKSLASH) escapes--;
    if ((at - escapes) % 2 === 1) return at + 1;
  }
}

const SPACE = 0x20;
