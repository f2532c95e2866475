import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes files by their paths below a folder. */
export async function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [name, bytes] of files) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
}
