/**
 * JSON pointers (RFC 6901), and where in a text the values are that they name.
 *
 * @module
 */
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
  type Span,
  stringEnd,
  stringText,
  wordEnd,
} from "./json_tokens.ts";

/** A member's name or an item's index escaped for a pointer, with the leading slash. */
export function pointerToken(key: string | number): string {
  if (typeof key === "number") return `/${key}`;
  return `/${key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key}`;
}

/** The names and indices of a pointer. */
function pointerKeys(pointer: string): string[] {
  return pointer.split("/").slice(1).map((token) =>
    token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token
  );
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
        const end = stringEnd(text, at);
        place = top.parts.get(stringText(text, at, end));
        if (place !== undefined) place.name = { start: at, end };
        at = skipSpace(text, end) + 1;
      }
      break;
    }
  }
}

/**
 * Finds where values end in a text that `JSON.parse` has accepted, so that only strings and braces of an object matter,
 * and strings and brackets of an array. The engine's search is faster than a loop over characters. Positions must be
 * requested in ascending order: then every search passes through the text once.
 */
class JsonSkipper {
  readonly #text: string;
  readonly #quote: Search;
  readonly #braces: readonly [Search, Search];
  readonly #brackets: readonly [Search, Search];

  constructor(text: string) {
    this.#text = text;
    this.#quote = new Search(text, '"');
    this.#braces = [new Search(text, "{"), new Search(text, "}")];
    this.#brackets = [new Search(text, "["), new Search(text, "]")];
  }

  /** The end of the value that begins here. */
  valueEnd(start: number): number {
    switch (this.#text.charCodeAt(start)) {
      case QUOTE:
        return stringEnd(this.#text, start);
      case OPEN_OBJECT:
        return this.#containerEnd(start, this.#braces);
      case OPEN_ARRAY:
        return this.#containerEnd(start, this.#brackets);
      default:
        return wordEnd(this.#text, start);
    }
  }

  #containerEnd(start: number, [opening, closing]: readonly [Search, Search]): number {
    let depth = 0;
    let at = start;
    do {
      const quote = this.#quote.next(at);
      const open = opening.next(at);
      const close = closing.next(at);
      if (quote < open && quote < close) at = stringEnd(this.#text, quote);
      else if (open < close) {
        depth++;
        at = open + 1;
      } else {
        depth--;
        at = close + 1;
      }
    } while (depth > 0);
    return at;
  }
}

/** The next position of a character. */
class Search {
  readonly #text: string;
  readonly #character: string;
  #at = -1;

  constructor(text: string, character: string) {
    this.#text = text;
    this.#character = character;
  }

  /** From `from` on; the end of the text when there is none. */
  next(from: number): number {
    if (this.#at < from) {
      const at = this.#text.indexOf(this.#character, from);
      this.#at = at < 0 ? this.#text.length : at;
    }
    return this.#at;
  }
}
