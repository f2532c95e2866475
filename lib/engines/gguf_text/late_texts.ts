/**
 * Strings of a GGUF file that are decoded when they are asked for.
 *
 * @module
 */

/** Before every string is its length. */
const LENGTH_BYTES = 8;

/**
 * A long list of strings, such as the 150,000 tokens of a vocabulary: they are decoded when they are asked for, since
 * that takes a tenth of a second and few answers need them.
 */
export class LateTexts {
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  #all: readonly string[] | undefined;

  /** @param starts Where the bytes of each begin, and the end of the last one; a length of 8 bytes precedes each. */
  constructor(bytes: Uint8Array, starts: Uint32Array) {
    this.#bytes = bytes;
    this.#starts = starts;
  }

  get length(): number {
    return this.#starts.length - 1;
  }

  /** One of them; undefined where there is none. */
  at(index: number): string | undefined {
    if (!(index >= 0 && index < this.length)) return undefined;
    return this.#all?.[index] ?? this.#decode(new TextDecoder(), index);
  }

  all(): readonly string[] {
    const text = new TextDecoder();
    return this.#all ??= Array.from({ length: this.length }, (_, index) => this.#decode(text, index));
  }

  #decode(text: TextDecoder, index: number): string {
    const end = index + 1 === this.length ? this.#starts[index + 1] : this.#starts[index + 1] - LENGTH_BYTES;
    return text.decode(this.#bytes.subarray(this.#starts[index], end));
  }
}
