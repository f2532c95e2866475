/**
 * Atomic file writes.
 *
 * @module
 */
import { chmod, link, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type FileHashes, hashFile } from "./hash_file.ts";

/** The content of a file: all at once, or in parts as they arrive. */
type FileContent = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes a new file: to a temporary name, flushed to the disk, then renamed in one step.
 *
 * @param mode Permissions, such as 0o600; those of other new files by default.
 * @throws the system's error; `EEXIST` when the file exists, which stays untouched.
 */
export async function writeNewFile(path: string, bytes: Uint8Array, mode?: number): Promise<void> {
  // A link fails where a rename would replace.
  await writeThen(link, path, bytes, mode);
}

/** Writes a file as {@linkcode writeNewFile} does, of parts as well, replacing an existing one in the same step. */
export async function replaceFile(path: string, bytes: FileContent, mode?: number): Promise<void> {
  await writeThen(rename, path, bytes, mode);
}

async function writeThen(
  name: (temporary: string, path: string) => Promise<void>,
  path: string,
  bytes: FileContent,
  mode: number | undefined,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${crypto.randomUUID()}.tmp`);
  const file = await open(temporary, "wx", mode);
  try {
    try {
      if (bytes instanceof Uint8Array) await file.writeFile(bytes);
      else for await (const part of bytes) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await name(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Removes the temporary files that a process killed during a write left below a folder. Call it only while nothing is
 * being written there.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const left = names.filter((name) => /^\..*\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/.test(basename(name)));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}

/** Copies a file to a new one that only its owner can read, and hashes it. */
export async function copyPrivate(from: string, to: string): Promise<FileHashes> {
  const hashes = await hashFile(from, () => {}, new AbortController().signal, { copyTo: to });
  await chmod(to, 0o600);
  return hashes;
}

/** Writes a new file that only its owner can read. */
export async function writeParts(path: string, parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const part of parts) await file.writeFile(part);
  } finally {
    await file.close();
  }
}
