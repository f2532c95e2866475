/**
 * Values as JSON, one after another: an object that an earlier value had already is written as its number. States of a
 * session share nearly all they consist of, so that each of many costs only what is new.
 *
 * @module
 */

import { jsonExtent } from "../../../json/json_text.ts";
import { type Place, placeWithin, writtenName } from "./image_names.ts";

/** Values of a whole journal, items of arrays included: more than that of the longest walks has. */
const MAX_VALUES = 4_000_000;

/** Levels of one value. */
const MAX_DEPTH = 40;

/** Characters of a list of numbers in base64: a hundred times what the longest move has. */
const MAX_FLOATS = 2 ** 20;

/** What stands for something that JSON has not. */
type Marked =
  | { readonly $: number }
  | { readonly $: "bigint"; readonly n: string }
  | { readonly $: "floats"; readonly n: string }
  | { readonly $: "path"; readonly n: string };

/** Writes values. */
export class SharedWriter {
  readonly #root: string;
  readonly #numbers = new WeakMap<object, number>();
  #next = 0;

  /** @param root What paths begin with that are to be read elsewhere too, with its separator. */
  constructor(root: string) {
    this.#root = root;
  }

  /** A value as JSON: plain data, big integers and arrays of 32-bit floats. Pixels of pictures are left out. */
  write(value: unknown): string {
    return JSON.stringify(this.#encode(value, "elsewhere"));
  }

  #text(value: string): unknown {
    const name = value.startsWith(this.#root) ? value.slice(this.#root.length) : "";
    return isName(name) ? mark("path", name) : value;
  }

  #encode(value: unknown, place: Place): unknown {
    if (typeof value === "string") return this.#text(value);
    if (typeof value === "bigint") return mark("bigint", String(value));
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Float32Array) return mark("floats", base64(value));
    if (Array.isArray(value)) return value.map((item) => this.#encode(item, place));
    const known = this.#numbers.get(value);
    if (known !== undefined) return { $: known };
    const fields = Object.entries(value).flatMap(([name, field]) =>
      field === undefined || name === "image"
        ? []
        : [[writtenName(place, name), this.#encode(field, placeWithin(place, name))]]
    );
    this.#numbers.set(value, this.#next++);
    return Object.fromEntries(fields);
  }
}

/** Reads what a {@linkcode SharedWriter} has written, in the same order. */
export class SharedReader {
  readonly #root: string;
  readonly #objects: unknown[] = [];
  #values = 0;

  /** @param root What paths begin with now. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * The next value.
   *
   * @throws {SyntaxError} when it is invalid, or all together are too many: that is known before anything is made of
   *   it.
   */
  read(text: string): unknown {
    const limit = { values: MAX_VALUES - this.#values, depth: MAX_DEPTH };
    const { values, depth } = jsonExtent(text, limit);
    if (depth > MAX_DEPTH) throw new SyntaxError("it has too many levels");
    if (values > limit.values) throw new SyntaxError("it has too many values");
    this.#values += values;
    return this.#decode(JSON.parse(text));
  }

  #decode(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#decode(item));
    if ("$" in value) return this.#unmark(value as Marked);
    // Names such as __proto__ become fields of their own and nothing else.
    const made = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, this.#decode(field)]));
    this.#objects.push(made);
    return made;
  }

  #unmark(marked: Marked): unknown {
    if (typeof marked.$ === "number") {
      const known = this.#objects[marked.$];
      if (known === undefined) throw new SyntaxError("it names an object that does not exist");
      return known;
    }
    if (!("n" in marked) || typeof marked.n !== "string") throw new SyntaxError("it has an unknown value");
    if (marked.$ === "path" && isName(marked.n)) return this.#root + marked.n;
    if (marked.$ === "bigint" && /^\d{1,20}$/.test(marked.n)) return BigInt(marked.n);
    if (marked.$ === "floats") return floats(marked.n);
    throw new SyntaxError("it has an unknown value");
  }
}

function mark($: "bigint" | "floats" | "path", n: string): Marked {
  return { $, n };
}

/** Whether a path names a file of a state directory, or one in a folder of it. */
export function isName(path: string): boolean {
  const parts = path.split(/[/\\]/);
  return parts.length <= 2 && parts.every((part) => /^[\w-][\w.-]{0,99}$/.test(part));
}

function base64({ buffer, byteOffset, byteLength }: Float32Array): string {
  let text = "";
  for (const byte of new Uint8Array(buffer, byteOffset, byteLength)) text += String.fromCharCode(byte);
  return btoa(text);
}

function floats(text: string): Float32Array {
  if (text.length > MAX_FLOATS) throw new SyntaxError("it has too many numbers");
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw new SyntaxError("it has invalid numbers");
  }
  if (bytes.length % 4 !== 0) throw new SyntaxError("it has numbers that are cut off");
  return new Float32Array(bytes.buffer);
}
