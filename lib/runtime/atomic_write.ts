/**
 * Files that are there whole or not at all.
 *
 * @module
 */
import { link, open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Writes a new file: under a temporary name, flushed to the disk, then given its name in one step.
 *
 * @throws the system's error; `EEXIST` when there is a file of that name, which stays untouched.
 */
export async function writeNewFile(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${crypto.randomUUID()}.tmp`);
  const file = await open(temporary, "wx");
  try {
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    // A link fails where a rename would replace.
    await link(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
