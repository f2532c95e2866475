/**
 * Files that the user of a command has named.
 *
 * @module
 */
import { readFile, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { writeNewFile } from "./atomic_write.ts";
import { diskReason } from "./disk_reason.ts";

/** What prevents writing a file. */
export type WriteObstacle = "exists" | "no folder";

/** A file's bytes; undefined when it does not exist. */
export async function readUserFile(path: string): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Error(`Cannot read ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/** The absolute path of a file or folder; undefined when it does not exist. */
export async function findUserPath(path: string): Promise<string | undefined> {
  return await isThere(path) ? resolve(path) : undefined;
}

/** Checks whether a file could be written now. */
export async function writeObstacle(path: string): Promise<WriteObstacle | undefined> {
  if (await isThere(path)) return "exists";
  return await isThere(dirname(path)) ? undefined : "no folder";
}

/** Writes a file completely or not at all; an existing one is replaced. */
export async function writeUserFile(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await rm(path, { force: true });
    await writeNewFile(path, bytes);
  } catch (error) {
    throw new Error(`Cannot write ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(() => true, () => false);
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === "EISDIR" || code === "ERR_FS_EISDIR") return "it is a folder, expected a file";
  return diskReason(error) ?? message ?? String(error);
}
