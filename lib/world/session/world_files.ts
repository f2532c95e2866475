/**
 * What a session asks of the disk.
 *
 * @module
 */

/** A file that is open for reading in parts. */
export interface StoredFile {
  readonly size: number;
  /** Time of the last change, in milliseconds since 1970. */
  readonly modified: number;
  /** The bytes from `start` up to and including `end`; cancelling the stream closes the file. */
  stream(start: number, end: number): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** The state directory, and the files that clients may name. */
export interface WorldFiles {
  /** Absolute path of a name in the state directory. */
  statePath(name: string): string;
  /** Names of files and folders in the state directory. */
  list(): Promise<readonly string[]>;
  /**
   * Writes a new file, whole or not at all, and makes its folder when that is in the state directory.
   *
   * @throws {SvcError} `output_exists` when there is one, `disk_full`, `write_failed`.
   */
  writeNew(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file or a folder with all it holds; one that is not there is no error. */
  remove(path: string): Promise<void>;
  /** Undefined when there is no such file. */
  open(path: string): Promise<StoredFile | undefined>;
  /**
   * Reads an image that a client has named.
   *
   * @throws {SvcError} `path_not_allowed`, `image_not_found`, `image_too_large`.
   */
  readClientFile(path: string, limit: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * The absolute path for a file that a client wants written.
   *
   * @throws {SvcError} `path_not_allowed`, `output_folder_missing`, `output_exists`.
   */
  clientOutput(path: string): Promise<string>;
}
