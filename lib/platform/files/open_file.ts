/**
 * Reads files in ranges.
 *
 * @module
 */
import { type FileHandle, open, stat } from "node:fs/promises";

const PART = 256 * 1024;

/** A file that is open for reading in ranges. */
export interface OpenedFile {
  readonly size: number;
  /** Time of the last change, in milliseconds since 1970. */
  readonly modified: number;
  /** The bytes from `start` up to and including `end`; cancelling the stream closes the file. */
  stream(start: number, end: number): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Opens a regular file for reading in ranges; undefined when there is none. */
export async function openFile(path: string): Promise<OpenedFile | undefined> {
  const info = await stat(path).catch((error) => {
    if (["ENOENT", "ENOTDIR"].includes(error.code)) return undefined;
    throw error;
  });
  if (!info?.isFile()) return undefined;
  return {
    size: info.size,
    modified: Math.floor(info.mtimeMs),
    stream: (start, end) => streamPart(path, start, end),
  };
}

function streamPart(path: string, start: number, end: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let file: FileHandle | undefined;
  let at = start;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        file ??= await open(path, "r");
        const bytes = new Uint8Array(Math.min(PART, end + 1 - at));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
        if (bytesRead === 0) throw new Error(`Cannot read ${path}: it ends before byte ${end}`);
        at += bytesRead;
        controller.enqueue(bytes.subarray(0, bytesRead));
        if (at <= end) return;
        await file.close();
        controller.close();
      } catch (error) {
        await file?.close().catch(() => {});
        throw error;
      }
    },
    // A client that disconnects cancels the stream.
    cancel: () => file?.close(),
  }, { highWaterMark: 0 });
}
