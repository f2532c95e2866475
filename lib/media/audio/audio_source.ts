/**
 * The bytes of a sound file.
 *
 * @module
 */

/** Random access to the bytes of a file, wherever it is. */
export interface AudioSource {
  /** Where it is, for programs that read files themselves; undefined for bytes in memory. */
  readonly path?: string;
  /** Size in bytes. */
  readonly size: number;
  /** Reads up to `length` bytes from `offset`: fewer only where the file ends. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A file that is in memory. */
export function audioBytes(bytes: Uint8Array): AudioSource {
  return { size: bytes.length, read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)) };
}
