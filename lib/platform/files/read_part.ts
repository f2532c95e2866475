/**
 * Reads large files in parts.
 *
 * @module
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";

/** Most bytes of one read. */
const MAX_READ = 2 ** 30;

/** The bytes of a file from `start` on: `length` of them, fewer where the file ends. */
export async function readPart(path: string, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path, "r");
  try {
    const size = Math.max(0, Math.min(length, (await file.stat()).size - start));
    const bytes = new Uint8Array(size);
    let done = 0;
    while (done < size) {
      const { bytesRead } = await file.read(bytes, done, Math.min(size - done, MAX_READ), start + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  } finally {
    await file.close();
  }
}

/** {@linkcode readPart} that blocks the thread. */
function readPartSync(path: string, start: number, length: number): Uint8Array<ArrayBuffer> {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, fstatSync(file).size - start)));
    for (let done = 0; done < bytes.length;) {
      const read = readSync(file, bytes, done, Math.min(bytes.length - done, MAX_READ), start + done);
      if (read === 0) return bytes.subarray(0, done);
      done += read;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** A file that is read at any place. */
interface RandomAccessFile {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** The same at once; absent where the file was read whole. */
  readSync?(offset: number, length: number): Uint8Array<ArrayBuffer>;
}

/**
 * Opens a regular file; undefined when there is none.
 *
 * @param wholeUpTo Files up to this size are read whole, which is much faster than many parts.
 */
export async function openRandomAccess(path: string, wholeUpTo: number): Promise<RandomAccessFile | undefined> {
  const info = await stat(path).catch((error) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (!info?.isFile()) return undefined;
  if (info.size > wholeUpTo) {
    return {
      size: info.size,
      read: (offset, length) => readPart(path, offset, length),
      readSync: (offset, length) => readPartSync(path, offset, length),
    };
  }
  const bytes = new Uint8Array(await readFile(path));
  return { size: bytes.length, read: (at, length) => Promise.resolve(bytes.subarray(at, at + length)) };
}

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
