/**
 * Files that are there whole or not at all.
 *
 * @module
 */
import { link, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Writes a new file: under a temporary name, flushed to the disk, then given its name in one step.
 *
 * @throws the system's error; `EEXIST` when there is a file of that name, which stays untouched.
 */
export async function writeNewFile(path: string, bytes: Uint8Array): Promise<void> {
  // A link fails where a rename would replace.
  await writeThen(link, path, bytes);
}

/** Writes a file as {@linkcode writeNewFile} does; one of that name is replaced in the same step. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  await writeThen(rename, path, bytes);
}

async function writeThen(
  name: (temporary: string, path: string) => Promise<void>,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${crypto.randomUUID()}.tmp`);
  const file = await open(temporary, "wx");
  try {
    try {
      await file.writeFile(bytes);
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
 * Removes what a process left below a folder that was killed while it wrote. To be called only when nobody writes there.
 *
 * @param isLeftover Whether a file or folder right in the folder, by its name, was of use to that process only.
 */
export async function removeLeftovers(folder: string, isLeftover: (name: string) => boolean): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const left = names.filter((name) => isLeftover(name) || /^\..*\.[0-9a-f-]{36}\.tmp$/.test(basename(name)));
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
