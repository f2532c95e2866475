/**
 * Hashes of files of any size.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { open, stat } from "node:fs/promises";

const PART = 4 * 2 ** 20;

/** The identity of a file's content, as the store and the hub record it. */
export interface FileHashes {
  readonly bytes: number;
  readonly sha256: string;
  /** The Git object id, if requested. */
  readonly gitOid: string | undefined;
}

/** Options of {@linkcode hashFile}. */
export interface HashOptions {
  /** Path of a new file that receives a copy, flushed to the disk. */
  readonly copyTo?: string | undefined;
  /** Also computes the Git object id. */
  readonly git?: boolean;
}

/**
 * Reads and hashes a file.
 *
 * @param onBytes Called with the size of each part read.
 * @throws the reason of `signal` when it aborts.
 */
export async function hashFile(
  path: string,
  onBytes: (count: number) => void,
  signal: AbortSignal,
  { copyTo, git = false }: HashOptions = {},
): Promise<FileHashes> {
  const sha256 = createHash("sha256");
  // A blob's id covers its size too, so a file that grows meanwhile gets an id that matches nothing.
  const gitOid = git ? createHash("sha1").update(`blob ${(await stat(path)).size}\0`) : undefined;
  const source = await open(path, "r");
  const copy = copyTo === undefined ? undefined : await open(copyTo, "wx").catch(async (error) => {
    await source.close();
    throw error;
  });
  try {
    const part = new Uint8Array(PART);
    let bytes = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await source.read(part, 0, PART, bytes);
      if (bytesRead === 0) break;
      const read = part.subarray(0, bytesRead);
      sha256.update(read);
      gitOid?.update(read);
      await copy?.writeFile(read);
      bytes += bytesRead;
      onBytes(bytesRead);
    }
    await copy?.sync();
    return { bytes, sha256: sha256.digest("hex"), gitOid: gitOid?.digest("hex") };
  } finally {
    await source.close();
    await copy?.close();
  }
}
