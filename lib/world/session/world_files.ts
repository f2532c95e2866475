/**
 * The file and media operations of a session.
 *
 * @module
 */
import type { Media } from "../../media/video/media.ts";

/** A file open for reading in ranges. */
export interface StoredFile {
  /** Size in bytes. */
  readonly size: number;
  /** Modification time, in milliseconds since 1970. */
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
  /** Path and bytes of every file in the state directory and its folders, the oldest first. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  /**
   * Writes a new file completely or not at all, and creates its folder if that is in the state directory.
   *
   * @throws {SvcError} `output_exists` when there is one, `disk_full`, `write_failed`.
   */
  writeNew(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file or a folder with its contents; does nothing if it does not exist. */
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
   * The absolute path of an output file that a client has named.
   *
   * @throws {SvcError} `path_not_allowed`, `output_folder_missing`, `output_exists`.
   */
  clientOutput(path: string): Promise<string>;
}

/** The part of {@linkcode Media} that a session uses. */
export type WorldMedia = Pick<
  Media,
  "prepare" | "encodeChunk" | "joinChunks" | "encodePng" | "decodeImage" | "close"
>;
