/**
 * Bounds on what a template may use: templates come with models and are untrusted.
 *
 * @module
 */
import { Dict, Namespace, type Value } from "./values.ts";

/** Steps that any template may take, and the length of text it may build, before the size of the messages is added. */
const STEPS = 1_000_000;
const TEXT = 1024 * 1024;

/** A template that uses more steps, text or lists than the messages justify. */
export class TemplateLimitError extends Error {
  override name = "TemplateLimitError";
}

/** The steps and the text that a template has left. */
export class Budget {
  readonly #maxText: number;
  #left: number;
  /** The text size of a list or dictionary, once computed. */
  readonly #sizes = new WeakMap<object, number>();

  /** @param size The size of the variables, in characters. */
  constructor(size: number) {
    this.#maxText = TEXT + 4 * size;
    this.#left = STEPS + 4 * size;
  }

  /** Takes steps. */
  take(steps: number): void {
    this.#left -= steps;
    if (!(this.#left >= 0)) throw new TemplateLimitError("it takes too many steps");
  }

  /** Takes the steps of building a text of a size, before it is built. */
  text(size: number): void {
    if (!(size <= this.#maxText)) throw new TemplateLimitError("it builds too much text");
    this.take(size / 16);
  }

  /** Takes the steps of a value that an expression has. */
  value(value: Value): void {
    if (typeof value === "string") this.text(value.length);
    else if (typeof value === "bigint") this.#whole(value);
    else if (Array.isArray(value) || value instanceof Dict) {
      this.take((Array.isArray(value) ? value.length : value.size) / 64);
      this.#measure(value);
    }
  }

  /** Takes the steps of going through all members of a value, and of what they contain. */
  through(value: Value): void {
    if (Array.isArray(value) || value instanceof Dict) this.take(this.#measure(value) / 16);
  }

  #whole(value: bigint): void {
    if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) this.text(value.toString(16).length * 4);
  }

  /** Lists that contain a list twice double with each step, and their text with them. */
  #measure(value: Value[] | Dict): number {
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    this.#sizes.set(value, 0);
    let size = 1;
    for (const member of Array.isArray(value) ? value : value.pairs().flat()) {
      if (typeof member === "string") size += member.length;
      else if (Array.isArray(member) || member instanceof Dict) size += this.#measure(member);
      else if (member instanceof Namespace) size += this.#measure(member.members);
      else size++;
      if (size > this.#maxText) break;
    }
    this.text(size);
    this.#sizes.set(value, size);
    return size;
  }
}
