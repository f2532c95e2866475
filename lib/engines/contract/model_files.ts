/**
 * The files of a model, read through a callback.
 *
 * @module
 */

/** A model's folder. Names are relative to it, with `/`. */
export interface ModelFiles {
  /** Names of all files of the model; of its weights only those of one quantization. */
  readonly names: readonly string[];
  /** Absolute path, for native libraries. */
  path(name: string): string;
  /** Reads a whole file. */
  read(name: string): Promise<Uint8Array>;
  /** Reads up to `length` bytes from `start`: fewer at the end of the file, none after it. */
  readPart(name: string, start: number, length: number): Promise<Uint8Array>;
}
