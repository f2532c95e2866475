/**
 * Uploaded files, below a private folder.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { diskReason } from "./disk_reason.ts";
import { makeWorkFolder } from "./work_folder.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** Bytes that are written at once, however small the parts are in which they arrive. */
const BLOCK = 256 * 1024;

/** A private folder for the files of one request. */
export interface PrivateUploads {
  readonly path: string;
  /** Starts a new file in it. */
  create(name: string): Promise<FileWriter>;
  /** Removes it with all files. */
  remove(): Promise<void>;
}

/**
 * Makes a folder for the uploads of one request.
 *
 * @throws {SvcError} `disk_full`, here and while files are written.
 */
export async function makeUploadFolder(): Promise<PrivateUploads> {
  const { path, remove } = await makeWorkFolder().catch(explain);
  return { path, remove, create: (name) => createUpload(path, name) };
}

/** A file that is being written. */
export interface FileWriter {
  /** Writes the bytes, which may be reused afterwards. */
  write(bytes: Uint8Array): Promise<void>;
  /** Completes the file; `sha256` is in hexadecimal. */
  close(): Promise<{ readonly path: string; readonly bytes: number; readonly sha256: string }>;
  /** Closes it as it is. */
  abandon(): Promise<void>;
}

/**
 * Starts a new file that only its owner can read.
 *
 * @throws {SvcError} `disk_full`, here and while it is written.
 */
export async function createUpload(folder: string, name: string): Promise<FileWriter> {
  const path = join(folder, name);
  const file = await open(path, "wx", 0o600).catch(explain);
  const sha256 = createHash("sha256");
  const block = new Uint8Array(BLOCK);
  let used = 0;
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const part = block.subarray(0, used);
    sha256.update(part);
    await file.writeFile(part).catch(explain);
    bytes += used;
    used = 0;
  };
  return {
    async write(data) {
      for (let at = 0; at < data.length;) {
        const part = data.subarray(at, at + BLOCK - used);
        block.set(part, used);
        used += part.length;
        at += part.length;
        if (used === BLOCK) await flush();
      }
    },
    async close() {
      await flush();
      await file.close();
      return { path, bytes, sha256: sha256.digest("hex") };
    },
    abandon: () => file.close(),
  };
}

function explain(error: unknown): never {
  if (diskReason(error) === undefined) throw error;
  throw new SvcError("disk_full", "Cannot store the upload: the disk of the temporary folder is full", {
    cause: error,
  });
}
