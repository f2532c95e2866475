/**
 * The files of a model, read by whoever may read files.
 *
 * @module
 */

/** A model's folder. Names are relative to it, with `/`. */
export interface ModelFiles {
  /** Names of all files of the model, of its weights those of one quantisation. */
  readonly names: readonly string[];
  /** Absolute path, for native libraries. */
  path(name: string): string;
  /** The whole file. */
  read(name: string): Promise<Uint8Array>;
  /** Up to `length` bytes from `start`: fewer at the end of the file, none behind it. */
  readPart(name: string, start: number, length: number): Promise<Uint8Array>;
}
