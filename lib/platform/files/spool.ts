/**
 * Bytes on their way to a slow reader.
 *
 * @module
 */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { diskReason } from "./disk_reason.ts";
import { makeWorkFolder } from "./work_folder.ts";
import { SvcError } from "../../errors/svc_error.ts";

const PART = 256 * 1024;

/** What is written can be read at any pace, without keeping it in memory. */
export interface Spool {
  /** What was written, as it comes; read once. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** @throws {SvcError} `disk_full`. */
  write(bytes: Uint8Array): Promise<void>;
  /** Nothing follows. */
  end(): void;
  /** The reader gets this error after what was written. */
  fail(error: unknown): void;
}

/**
 * Opens a spool in a private file, which has no name and is gone with this process.
 *
 * @param onLeave Called when the reader stops reading.
 */
export async function openSpool(onLeave: () => void): Promise<Spool> {
  const folder = await makeWorkFolder();
  const file = await open(join(folder.path, "spool"), "wx+", 0o600);
  await folder.remove().catch(() => {}); // Windows keeps the name until the file is closed
  let written = 0;
  let read = 0;
  let ended: { readonly error?: unknown } | undefined;
  let closed = false;
  let wake = (): void => {};
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await file.close();
    await folder.remove().catch(() => {});
  };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      while (read === written && ended === undefined) await new Promise<void>((resolve) => wake = resolve);
      if (read < written) {
        const bytes = new Uint8Array(Math.min(PART, written - read));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, read);
        read += bytesRead;
        return controller.enqueue(bytes.subarray(0, bytesRead));
      }
      await close();
      if (ended !== undefined && "error" in ended) controller.error(ended.error);
      else controller.close();
    },
    async cancel() {
      onLeave();
      await close();
    },
  }, { highWaterMark: 0 });
  const finish = (how: { readonly error?: unknown }): void => {
    ended ??= how;
    wake();
  };
  let before: Promise<unknown> = Promise.resolve();
  const append = async (bytes: Uint8Array): Promise<void> => {
    if (closed) return; // the reader has left
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, at, bytes.length - at, written + at).catch((cause) => {
        if (closed) return { bytesWritten: bytes.length - at };
        const full = "Cannot store the answer: the disk of the temporary folder is full, free some space";
        throw diskReason(cause) === undefined ? cause : new SvcError("disk_full", full, { cause });
      });
      at += bytesWritten;
    }
    written += bytes.length;
    wake();
  };
  return {
    body,
    write: (bytes) => {
      const done = before.then(() => append(bytes));
      before = done.catch(() => {});
      return done;
    },
    end: () => finish({}),
    fail: (error) => finish({ error }),
  };
}
