/**
 * Buffered random access to a large file.
 *
 * @module
 */
import type { ModelFiles } from "../contract/engine_entry.ts";

const WINDOW = 1024 * 1024;

/** A file of a model, with the last read part cached. */
export class FileWindow {
  readonly baseName: string;
  readonly #files: ModelFiles;
  readonly #name: string;
  #start = 0;
  #bytes = new Uint8Array();

  constructor(files: ModelFiles, name: string) {
    this.baseName = name.slice(name.lastIndexOf("/") + 1);
    this.#files = files;
    this.#name = name;
  }

  /** Bytes of the file: fewer at its end. They must not be modified. */
  async upTo(start: number, length: number): Promise<Uint8Array> {
    const kept = start - this.#start;
    if (kept >= 0 && kept + length <= this.#bytes.length) return this.#bytes.subarray(kept, kept + length);
    this.#bytes = await this.#files.readPart(this.#name, start, Math.max(length, WINDOW)) as Uint8Array<ArrayBuffer>;
    this.#start = start;
    return this.#bytes.subarray(0, length);
  }

  /** @throws {RangeError} when the file ends earlier. */
  async exactly(start: number, length: number): Promise<Uint8Array> {
    const bytes = await this.upTo(start, length);
    if (bytes.length === length) return bytes;
    throw new RangeError(`it ends at byte ${start + bytes.length}, before byte ${start + length}`);
  }
}
