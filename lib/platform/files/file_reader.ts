/**
 * Reads files at any place.
 *
 * @module
 */
import { open, stat } from "node:fs/promises";

/** An open file. */
export interface FileReader {
  readonly path: string;
  /** Size in bytes when it was opened. */
  readonly size: number;
  /** Reads up to `length` bytes from `offset`: fewer only where the file ends. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens a regular file.
 *
 * @throws {Error} when there is none, or it cannot be read.
 */
export async function openFileReader(path: string): Promise<FileReader> {
  // Before it is opened: that of a pipe waits for what writes to it.
  if (!(await stat(path)).isFile()) throw new Error(`Cannot read ${path}: it is not a regular file`);
  const file = await open(path, "r");
  try {
    const info = await file.stat();
    return {
      path,
      size: info.size,
      async read(offset, length) {
        const bytes = new Uint8Array(Math.max(Math.min(length, info.size - offset), 0));
        for (let at = 0; at < bytes.length;) {
          const { bytesRead } = await file.read(bytes, at, bytes.length - at, offset + at);
          if (bytesRead === 0) return bytes.subarray(0, at);
          at += bytesRead;
        }
        return bytes;
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}
