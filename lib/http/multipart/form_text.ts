/**
 * The texts of a form.
 *
 * @module
 */

/** Bytes of all texts of a form, in UTF-8. */
export const MAX_TEXT_BYTES: number = 512 * 1024;

const FIRST_BUFFER = 256;

/** Collects the text of one field after another, in one buffer: a client may send it byte by byte. */
export class FormText {
  #buffer = new Uint8Array(FIRST_BUFFER);
  #length = 0;
  #before = 0;

  /** Adds bytes to the text; false when all texts together have too many. */
  add(bytes: Uint8Array): boolean {
    const length = this.#length + bytes.length;
    if (this.#before + length > MAX_TEXT_BYTES) return false;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(2 * this.#buffer.length, length));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
    return true;
  }

  /** Ends the text; undefined when it is not UTF-8. */
  end(): string | undefined {
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#before += this.#length;
    this.#length = 0;
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return undefined;
    }
  }
}
